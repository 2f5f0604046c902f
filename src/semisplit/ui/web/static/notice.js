// One line at the top of the page for what went wrong or takes long.

const place = document.getElementById("notice");
let timer = 0;

/** Tell something; it goes away by itself unless it is to stay. */
export function tell(text, { stays = false } = {}) {
  clearTimeout(timer);
  place.textContent = text;
  place.hidden = !text;
  if (text && !stays) timer = setTimeout(() => tell(""), 8000);
}

/** Do something, and tell if it fails. */
export async function trying(action) {
  try {
    return await action();
  } catch (error) {
    tell(error.message);
    return undefined;
  }
}
