// The way to the server: requests and their answers, and what is told without being asked for.

const address = new URL("tab", document.baseURI);
address.protocol = address.protocol.replace("http", "ws");

const waiting = new Map();
const listeners = new Map();
let last = 0;
let onLost = () => {};

const socket = new WebSocket(address);
const opened = new Promise(resolve => socket.addEventListener("open", resolve, { once: true }));

socket.addEventListener("close", event => {
  for (const request of waiting.values()) request.reject(new Error("the server is gone"));
  waiting.clear();
  onLost(event.reason || "The server has ended. Start it again and open the address it prints.");
});

socket.addEventListener("message", ({ data }) => {
  const message = JSON.parse(data);
  if (message.event) {
    if (message.event === "gone") forsake(message.from);
    for (const listener of listeners.get(`${message.from} ${message.event}`) ?? []) listener(message.data);
    return;
  }
  const request = waiting.get(message.id);
  if (!request) return;
  waiting.delete(message.id);
  if ("error" in message) {
    request.reject(Object.assign(new Error(message.error), { diagnostics: message.diagnostics }));
  } else {
    request.resolve(message.result);
  }
});

/** Nobody will answer what a process was asked that has ended. */
function forsake(name) {
  for (const [id, request] of waiting) {
    if (request.to === name) {
      waiting.delete(id);
      request.reject(new Error("the process that did this has ended; please try again"));
    }
  }
}

/** Ask a process of this tab to do something. */
export async function ask(to, what, details = {}) {
  await opened;
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { to, resolve, reject });
    socket.send(JSON.stringify({ id, to, do: what, with: details }));
  });
}

/** End a process, whatever it does. */
export function end(name) {
  forsake(name);
  return ask(name, "end");
}

/** Call somebody when a process tells something; gives a function that ends it. */
export function listen(from, event, listener) {
  const key = `${from} ${event}`;
  if (!listeners.has(key)) listeners.set(key, new Set());
  listeners.get(key).add(listener);
  return () => listeners.get(key).delete(listener);
}

/** Say whom to call when the server is gone. */
export function whenLost(call) {
  onLost = call;
}
