// Files of the person: kept and opened by the browser; the server never sees where they are.

import { h } from "./dom.js";

/** Let the browser keep a text as a file. */
export function keep(name, text, type = "application/json") {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Let the person choose a file; gives its name and text. */
export function choose(accept) {
  return new Promise(resolve => {
    const field = h("input", { type: "file", accept });
    field.onchange = async () => resolve({ name: field.files[0].name, text: await field.files[0].text() });
    field.click();
  });
}
