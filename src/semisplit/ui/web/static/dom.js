// Making elements.

/** An element with properties, attributes (`data-`, `aria-`, `role`), listeners (`onclick`) and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.includes("-") || name === "role" || name === "list" || name === "for") {
      element.setAttribute(name, value);
    } else if (name === "style") {
      for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
    } else {
      element[name] = value;
    }
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

/** Show other children in an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

/** An SVG element with attributes. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A picture that the server has drawn. */
export function picture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(root, true);
}

/** A button. */
export function button(label, onclick, properties = {}) {
  return h("button", { type: "button", textContent: label, onclick, ...properties });
}

/** A choice: pairs of value and label, or groups of them. */
export function select(options, value, onchange, properties = {}) {
  const option = ([one, label]) => h("option", { value: one, textContent: label });
  const element = h("select", properties, options.map(entry =>
    entry.group ? h("optgroup", { label: entry.group }, entry.options.map(option)) : option(entry)));
  element.value = value;
  element.onchange = () => onchange(element.value);
  return element;
}

/** The words of a number, short. */
export function short(number) {
  if (number < 10_000) return number.toLocaleString("en");
  if (number < 10_000_000) return `${(number / 1000).toLocaleString("en", { maximumFractionDigits: 0 })} k`;
  return `${(number / 1e6).toLocaleString("en", { maximumFractionDigits: 0 })} M`;
}
