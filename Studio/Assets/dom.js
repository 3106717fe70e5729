// Elements are made of names and texts alone: nothing that a database holds is ever read as HTML.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" && tag !== "progress") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) element.append(child);
  }
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
}

/// Tells a screen reader what happened.
export function say(text) {
  document.getElementById("say").textContent = text;
}

export function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) {
    count /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? count : count.toFixed(1)} ${units[unit]}`;
}

export function number(count) {
  return count.toLocaleString("en");
}

/// A dialog that closes by Escape too; `build` is given a function that closes it.
export function dialog(title, build, className = "") {
  const box = h("dialog", { "aria-labelledby": "dialog-title", class: className });
  const close = () => box.close();
  box.append(h("h2", { id: "dialog-title" }, title), ...build(close, box).flat());
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/// The second click of a double click: what the first one had shown could not be read yet, and is neither written over nor agreed to.
export function isSecondOfTwo(event) {
  return event.detail > 1;
}

export function problem(error) {
  return h("p", { class: "problem", role: "alert" }, error.message);
}
