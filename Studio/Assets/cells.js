import { bytes, h } from "./dom.js";

// A value as the server sends it: a text, null, {i: "12"}, {r: "1.5"}, {t, n} for the beginning of a long text,
// {n, b64, type} for bytes and {x, n} for text that is no UTF-8.

export function kind(cell) {
  if (cell === null || cell === undefined) return "null";
  if (typeof cell === "string") return "text";
  if ("i" in cell) return "integer";
  if ("r" in cell) return "real";
  if ("t" in cell) return "long";
  if ("x" in cell) return "broken";
  return "blob";
}

/// Whether all of the value is here.
export function isWhole(cell) {
  return kind(cell) !== "long" && !(kind(cell) === "blob" && cell.b64 === undefined);
}

export function text(cell) {
  switch (kind(cell)) {
    case "null": return "NULL";
    case "text": return cell;
    case "integer": return cell.i;
    case "real": return cell.r;
    case "long": return `${cell.t}…`;
    case "broken": return `text that is no UTF-8, ${bytes(atob(cell.x).length)}`;
    case "blob": return cell.b64 !== undefined && cell.n <= 16 && !cell.type
      ? `x'${[...atob(cell.b64)].map((c) => c.charCodeAt(0).toString(16).padStart(2, "0")).join("")}'`
      : `${cell.type ?? "bytes"}, ${bytes(cell.n)}`;
  }
}

export function same(left, right) {
  return JSON.stringify(left) === JSON.stringify(right);
}

/// The value for a cell of a table: one line, and a link where it is one.
export function shown(cell) {
  const kindOf = kind(cell);
  const line = text(cell);
  if (kindOf === "text" && /^https?:\/\/[^\s]+$/i.test(line)) {
    return h("a", { href: line, target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer", tabindex: -1 }, line);
  }
  const short = line.length > 300 ? `${line.slice(0, 300)}…` : line;
  return h("span", { class: `v-${kindOf}` }, short === "" ? "''" : short);
}

/// The text as people read it: JSON with its structure.
export function readable(value) {
  if (/^\s*[[{]/.test(value)) {
    try {
      // Whole numbers of more digits than a browser has would change.
      if (!/\d{16}/.test(value)) return JSON.stringify(JSON.parse(value), null, 2);
    } catch { /* It is no JSON. */ }
  }
  return value;
}

/// Headings; those of numbers stand where the numbers stand.
export function headings(titles, areNumbers) {
  return h("thead", {}, h("tr", {}, titles.map((title, index) =>
    h("th", { scope: "col", class: areNumbers(index) ? "of-numbers" : undefined }, title))));
}

/// Rows as a table that is there as a whole.
export function table(columns, rows, caption) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", { class: "plain" },
      h("caption", { class: "spoken" }, caption),
      headings(columns, (index) => {
        const first = rows.map((row) => kind((row.cells ?? row)[index])).find((kindOf) => kindOf !== "null");
        return first === "integer" || first === "real";
      }),
      h("tbody", {}, rows.map((row) => h("tr", { class: row.class },
        (row.cells ?? row).map((cell, index) =>
          h("td", { class: [`k-${kind(cell)}`, row.changed?.[index] ? "changed" : ""].join(" ") }, shown(cell))))))));
}
