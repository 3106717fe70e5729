// swift-format-ignore-file
// Written by scripts/EmbedPage.swift from Studio/Assets: edit those.

extension PageAsset {
    /// All files of the page.
    static let all: [PageAsset] = [
        PageAsset(path: "/api.js", type: "text/javascript", text: ###"""
// Questions to the server, each with the token that the code in the address was traded for.

const key = "token";

export class Problem extends Error {
  constructor(message, status, answer) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

/// Comes in, if the address has a code, and takes it out of the address.
export async function comeIn() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!code) return;
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("api/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (answer.ok) sessionStorage.setItem(key, (await answer.json()).token);
}

async function send(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      ...options,
      headers: { ...options.headers, Authorization: `Bearer ${sessionStorage.getItem(key) ?? ""}` },
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The studio does not answer: was it stopped?", 0);
  }
  if (answer.ok) return answer;
  const content = await answer.json().catch(() => ({}));
  throw new Problem(content.error ?? content.message ?? `The studio answered with ${answer.status}.`, answer.status, content);
}

export async function get(path) {
  return (await send(path)).json();
}

export function post(path, question, signal) {
  return send(path, {
    method: "POST",
    signal,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
  });
}

export async function ask(path, question, signal) {
  return (await post(path, question, signal)).json();
}

/// Calls back for each event, and connects again if the connection is cut. If the studio refuses, the reason is told once, as an event.
export async function listen(hear, isOpen) {
  let refusal;
  for (;;) {
    try {
      const reader = (await send("api/events")).body.pipeThrough(new TextDecoderStream()).getReader();
      isOpen(true);
      refusal = undefined;
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        for (const line of lines) hear(JSON.parse(line));
      }
    } catch (error) {
      if (error.status === 401) return;
      // Without a status the studio is not there at all.
      if (error.status && error.message !== refusal) {
        refusal = error.message;
        hear({ type: "trouble", text: `Changes are not shown: ${refusal}` });
      }
    }
    isOpen(false);
    await new Promise((done) => setTimeout(done, 1000));
  }
}

"""###),
        PageAsset(path: "/cells.js", type: "text/javascript", text: ###"""
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

"""###),
        PageAsset(path: "/dom.js", type: "text/javascript", text: ###"""
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

"""###),
        PageAsset(path: "/grid.js", type: "text/javascript", text: ###"""
import { ask } from "./api.js";
import { kind, same, shown, text } from "./cells.js";
import { h, replace, say } from "./dom.js";
import { onceForAll } from "./once.js";

const rowHeight = 30;
const chunkSize = 100;
const keptChunks = 30;
// Browsers draw nothing beyond some ten million pixels: a longer table is scrolled by its share.
const tallest = 6_000_000;

/// The rows of a table, of which only those on screen are there. The server is asked for pieces of a hundred: by the key of a
/// neighbour where there is one, by number elsewhere, and in an order that no index serves.
export class Grid {
  constructor(question, columns, { open, count, fail, remove, loaded, stopped, altered }) {
    Object.assign(this, { question, columns, open, fail, remove, loaded, stopped, altered, tellCount: count });
    this.chunks = new Map();
    this.loading = new Map();
    this.loads = 0;
    this.gone = new AbortController();
    /// Counts the rows.
    this.countAgain = onceForAll(() => this.recount());
    /// Reads what is on screen again, and marks what is another now.
    this.refresh = onceForAll(() => this.readAgain());
    this.changes = new Map();
    this.count = 0;
    this.active = { row: 0, column: 0 };
    this.layer = h("div", { class: "layer", role: "rowgroup" });
    this.spacer = h("div", { class: "spacer" });
    this.head = h("div", { class: "row head", role: "row", "aria-rowindex": 1 });
    this.body = h("div", {
      class: "grid", role: "grid", tabindex: 0, "aria-label": `Rows of ${question.table}`,
      "aria-colcount": columns.length, onkeydown: (event) => this.key(event), onscroll: () => this.later(),
      onfocus: () => this.draw(),
    }, this.head, h("div", { class: "area" }, this.spacer, this.layer));
    this.layer.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.later()).observe(this.body);
    this.widths = columns.map((column) => Math.min(260, Math.max(90, column.name.length * 9 + 46)));
  }

  /// Stops what is under way, on the server too. From then on nothing is asked.
  stop() {
    this.gone.abort();
    for (const { abort } of this.loading.values()) abort.abort();
  }

  async recount() {
    try {
      this.count = (await ask("api/count", this.question, this.gone.signal)).count;
      this.isCounted = true;
    } catch (error) {
      if (error.name === "AbortError") return;
      // A count that takes too long: there is at least what was seen.
      this.isCounted = false;
      this.count = Math.max(this.count, ...[...this.chunks].map(([index, rows]) => index * chunkSize + rows.length));
    }
    this.body.setAttribute("aria-rowcount", this.isCounted ? this.count + 1 : -1);
    this.tellCount(this.count, this.isCounted);
    this.draw();
  }

  /// Gives the columns their widths by the first rows that come, and leaves those from then on.
  measure() {
    const rows = this.chunks.get(0) ?? [];
    if (this.isMeasured || rows.length === 0) return;
    this.isMeasured = true;
    for (const row of rows) {
      row.cells.forEach((cell, index) => {
        this.widths[index] = Math.min(340, Math.max(this.widths[index], text(cell).slice(0, 50).length * 7.6 + 24));
      });
    }
  }

  // MARK: Pieces

  row(index) {
    return this.chunks.get(Math.floor(index / chunkSize))?.[index % chunkSize];
  }

  async chunk(number) {
    if (this.chunks.has(number) || this.gone.signal.aborted) return;
    if (this.loading.has(number)) return this.loading.get(number).done;
    const abort = new AbortController();
    const done = this.load(number, abort.signal).finally(() => this.loading.delete(number));
    this.loading.set(number, { abort, done });
    return done;
  }

  /// Whether pieces are on their way.
  get isLoading() { return this.loads > 0; }

  async load(number, signal) {
    const [before, after] = [this.chunks.get(number - 1), this.chunks.get(number + 1)];
    const place = this.isNumbered ? { offset: number * chunkSize } : before?.length === chunkSize && before.at(-1).mark
      ? { after: before.at(-1).mark }
      : number > 0 && after?.[0]?.mark ? { before: after[0].mark } : { offset: number * chunkSize };
    this.loads += 1;
    try {
      const answer = await ask("api/rows", { ...this.question, ...place, limit: chunkSize }, signal);
      // The table has other columns than the page was made of.
      if (!same(answer.columns, this.columns.map(({ name }) => name))) return this.altered();
      this.isNumbered = answer.isNumbered;
      this.chunks.set(number, answer.rows);
      this.loaded();
      for (const far of [...this.chunks.keys()].sort((a, b) => Math.abs(b - number) - Math.abs(a - number))) {
        if (this.chunks.size <= keptChunks) break;
        this.chunks.delete(far);
      }
      this.draw();
    } catch (error) {
      if (error.name !== "AbortError") this.fail(error);
      // Where other pieces are on their way, the last of them says so.
      else if (this.loads === 1) this.stopped();
    } finally {
      this.loads -= 1;
    }
  }

  async readAgain() {
    const old = new Map();
    const [first, last] = this.visible();
    for (let index = first; index <= last; index += 1) {
      const row = this.row(index);
      if (row?.key) old.set(JSON.stringify(row.key), row.cells);
    }
    for (const { abort } of this.loading.values()) abort.abort();
    const kept = this.chunks;
    this.chunks = new Map();
    const numbers = new Set([Math.floor(first / chunkSize), Math.floor(last / chunkSize)]);
    for (const number of numbers) {
      await this.load(number, this.gone.signal);
      if (!this.chunks.has(number) && kept.has(number)) this.chunks.set(number, kept.get(number));
    }
    let changed = 0;
    for (const rows of this.chunks.values()) {
      for (const row of rows) {
        const before = row.key && old.get(JSON.stringify(row.key));
        if (!before || same(before, row.cells)) continue;
        this.changes.set(JSON.stringify(row.key), before);
        changed += 1;
      }
    }
    if (changed) say(`${changed} rows on screen changed`);
    this.measure();
    this.draw();
    // Not waited for: a count may take long, and what is committed next is to be read at once.
    this.countAgain();
  }

  // MARK: Drawing

  get isScaled() { return this.count * rowHeight > tallest; }

  get height() { return Math.min(tallest, this.count * rowHeight); }

  /// How many rows fit.
  get room() { return Math.max(1, Math.floor((this.body.clientHeight - this.head.offsetHeight) / rowHeight)); }

  /// How far it can be scrolled.
  get way() { return Math.max(1, this.height - this.body.clientHeight + this.head.offsetHeight); }

  /// The first row on screen, with its fraction.
  get top() {
    if (!this.isScaled) return this.body.scrollTop / rowHeight;
    return Math.min(1, this.body.scrollTop / this.way) * Math.max(0, this.count - this.room);
  }

  visible() {
    const first = Math.max(0, Math.floor(this.top));
    return [first, Math.max(first, Math.min(this.count - 1, first + this.room + 1))];
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    const template = this.widths.map((width) => `${Math.round(width)}px`).join(" ");
    this.body.style.setProperty("--columns", template);
    const width = this.widths.reduce((sum, value) => sum + Math.round(value), 0);
    this.head.style.width = `${width}px`;
    this.spacer.style.height = `${this.height}px`;
    this.spacer.style.width = `${width}px`;
    const [first, last] = this.visible();
    this.layer.style.width = `${width}px`;
    this.layer.style.transform = `translateY(${this.body.scrollTop - (this.isScaled ? 0 : (this.top - first) * rowHeight)}px)`;
    const rows = [];
    const wanted = new Set();
    for (let index = first; index <= last && index < this.count; index += 1) {
      wanted.add(Math.floor(index / chunkSize));
      rows.push(this.drawn(index));
    }
    replace(this.layer, rows);
    this.body.setAttribute("aria-activedescendant", this.idOf(this.active));
    // What was asked for and is far off screen by now is stopped on the server too.
    for (const [number, { abort }] of this.loading) if (!wanted.has(number)) abort.abort();
    for (const number of wanted) if (!this.chunks.has(number)) this.chunk(number);
  }

  idOf({ row, column }) { return `cell-${row}-${column}`; }

  drawn(index) {
    const row = this.row(index);
    const before = row?.key && this.changes.get(JSON.stringify(row.key));
    return h("div", { class: "row", role: "row", "aria-rowindex": index + 2, "data-row": index },
      this.columns.map((column, position) => {
        const cell = row?.cells[position];
        const isActive = index === this.active.row && position === this.active.column;
        const isChanged = before && !same(before[position], cell);
        return h("div", {
          class: ["cell", row ? `k-${kind(cell)}` : "waiting", isActive ? "active" : "", isChanged ? "changed" : ""].join(" "),
          role: "gridcell", id: this.idOf({ row: index, column: position }), "aria-colindex": position + 1,
          "aria-selected": isActive ? "true" : "false", "data-column": position,
          title: isChanged ? `was ${text(before[position])}` : undefined,
        }, row ? shown(cell) : "");
      }));
  }

  // MARK: Moving

  click(event) {
    const cell = event.target.closest(".cell");
    if (!cell || event.target.closest("a")) return;
    const clicked = { row: Number(cell.parentElement.dataset.row), column: Number(cell.dataset.column) };
    // The second click on a cell opens its row, which a finger can do as well as a mouse.
    if (same(clicked, this.active) && this.wasClicked) return this.open(this.row(clicked.row));
    this.active = clicked;
    this.wasClicked = true;
    this.draw();
  }

  key(event) {
    if (event.target !== this.body) return;
    const { row, column } = this.active;
    const lastColumn = this.columns.length - 1;
    const far = event.ctrlKey || event.metaKey;
    const to = {
      ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      PageDown: [row + this.room, column], PageUp: [row - this.room, column],
      Home: far ? [0, 0] : [row, 0], End: far ? [this.count - 1, lastColumn] : [row, lastColumn],
    }[event.key];
    if (to) {
      event.preventDefault();
      this.moveTo(to[0], to[1]);
    } else if (event.key === "Enter" && this.row(row)) {
      event.preventDefault();
      this.open(this.row(row));
    } else if (event.key === "Delete" && this.row(row)) {
      event.preventDefault();
      this.remove(this.row(row));
    }
  }

  moveTo(row, column) {
    this.wasClicked = false;
    this.active = {
      row: Math.max(0, Math.min(this.count - 1, row)),
      column: Math.max(0, Math.min(this.columns.length - 1, column)),
    };
    const first = Math.floor(this.top);
    let top;
    if (this.active.row <= first) top = this.active.row;
    else if (this.active.row >= first + this.room) top = this.active.row - this.room + 1;
    if (top !== undefined) {
      this.body.scrollTop = this.isScaled
        ? (top / Math.max(1, this.count - this.room)) * this.way
        : top * rowHeight;
    }
    const left = this.widths.slice(0, this.active.column).reduce((sum, value) => sum + value, 0);
    const right = left + this.widths[this.active.column];
    if (left < this.body.scrollLeft) this.body.scrollLeft = left;
    else if (right > this.body.scrollLeft + this.body.clientWidth) this.body.scrollLeft = right - this.body.clientWidth;
    this.draw();
  }
}

"""###),
        PageAsset(path: "/icon.svg", type: "image/svg+xml", text: ###"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="2" y="1" width="12" height="14" rx="2" fill="#2563eb"/><path d="M2 5.5h12M2 10.5h12" stroke="#fff" stroke-width="1.4"/></svg>

"""###),
        PageAsset(path: "/", type: "text/html", text: ###"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>StorageKit studio</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="studio.css">
<script type="module" src="studio.js"></script>
</head>
<body>
<a class="skip" href="#main" id="skip">Skip to content</a>
<header class="top">
  <strong id="file" class="file">StorageKit studio</strong>
  <nav aria-label="Pages" id="pages"></nav>
  <span id="live" class="live" role="status"></span>
</header>
<div class="columns">
  <nav class="tables" aria-label="Tables" id="tables"></nav>
  <main id="main" tabindex="-1"><p class="quiet">Loading…</p></main>
</div>
<div id="say" class="spoken" role="status" aria-live="polite"></div>
</body>
</html>

"""###),
        PageAsset(path: "/lines.js", type: "text/javascript", text: ###"""
// A text area has line feeds alone, whatever line ends a text had.

/// What was typed over a text, with the text's own line ends in front of the edit and behind it. New lines end as the first line of the text does.
export function keepingLineEnds(old, typed) {
  const plain = old.replace(/\r\n?/g, "\n");
  const shorter = Math.min(plain.length, typed.length);
  let front = 0;
  while (front < shorter && plain[front] === typed[front]) front += 1;
  let back = 0;
  while (back < shorter - front && plain[plain.length - 1 - back] === typed[typed.length - 1 - back]) back += 1;
  const lineEnd = /\r\n?|\n/.exec(old)?.[0] ?? "\n";
  const edit = typed.slice(front, typed.length - back).replaceAll("\n", lineEnd);
  return joined(joined(old.slice(0, place(old, front)), edit), old.slice(place(old, plain.length - back)));
}

/// Where so many characters of a text end, each line end being one.
function place(text, count) {
  let end = 0;
  for (let seen = 0; seen < count; seen += 1) end += text.startsWith("\r\n", end) ? 2 : 1;
  return end;
}

/// Two parts of a text. A carriage return and a line feed that meet stay two line ends.
function joined(left, right) {
  return left.endsWith("\r") && right.startsWith("\n") ? `${left}\n${right}` : left + right;
}

"""###),
        PageAsset(path: "/live.js", type: "text/javascript", text: ###"""
import { headings, same, table } from "./cells.js";
import { h, number, replace } from "./dom.js";
import { link } from "./routes.js";

const most = 100;
const happened = [];
const streams = new Map();

/// Keeps what happened, the newest first, and of each stream of an app what it has read.
export function remember(event) {
  if (event.type === "streams") {
    for (const stream of event.streams) streams.set(stream.number, stream);
    return;
  }
  happened.unshift({ ...event, time: new Date() });
  happened.length = Math.min(happened.length, most);
}

/// What happens, as it happens.
export function livePage(main) {
  const list = h("div", { class: "events", role: "log", "aria-label": "What happened" });
  const reads = h("div", { class: "reads" });
  const drawReads = () => replace(reads, streams.size > 0 && readsOf([...streams.values()]));
  const drawList = () => replace(list, happened.length === 0
    ? h("p", { class: "quiet" }, "Nothing yet. Commits of every program that has the file open appear here, and slow statements of an app that serves this page.")
    : happened.map(entry));
  replace(main, h("div", { class: "title" }, h("h1", {}, "Live")), reads, list);
  drawReads();
  drawList();
  return { hear: (event) => (event.type === "streams" ? drawReads() : event.type !== "sorting" && drawList()) };
}

/// What the streams of an app have read: one that is read as a whole time and again is marked.
function readsOf(all) {
  const reasons = { all: "all of it", rows: "the changed rows", groups: "the changed groups" };
  return h("section", {}, h("h2", {}, "Streams of the app"),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Streams of the app" }, h("table", { class: "plain streams" },
      h("caption", { class: "spoken" }, "Streams of the app"),
      headings(["Stream", "Reads", "As a whole", "Nothing new", "Rows in all", "Last read"], (index) => index > 0 && index < 5),
      h("tbody", {}, all.map((stream) => h("tr", {},
        h("td", {}, h("code", {}, stream.sql || (stream.table ? `of ${stream.table}` : "a closure of the app"))),
        h("td", { class: "k-integer" }, number(stream.reads)),
        h("td", { class: "k-integer" }, number(stream.wholeReads), stream.wholeReads > 2 && h("span", { class: "tag warn" }, "often")),
        h("td", { class: "k-integer" }, number(stream.unchangedReads)),
        h("td", { class: "k-integer" }, number(stream.allRows)),
        h("td", {}, `${stream.rows === undefined ? "a value" : `${number(stream.rows)} ${stream.rows === 1 ? "row" : "rows"}`}, ${reasons[stream.scope] ?? ""}, ${stream.milliseconds.toFixed(1)} ms`)))))));
}

function entry(event) {
  const time = h("time", { class: "quiet" }, event.time.toLocaleTimeString());
  switch (event.type) {
    case "commit": return h("article", {}, h("h2", {}, "Commit ", time), event.commit.tables.map(tableOf),
      event.commit.uncompared.length > 0 && h("p", { class: "quiet" },
        "Not compared, and perhaps changed too: ", event.commit.uncompared.map((name, index) =>
          [index > 0 ? ", " : "", h("a", { href: link({ table: name }) }, name)]).flat()));
    case "slow": return h("article", {}, h("h2", {}, `Slow statement, ${Math.round(event.milliseconds)} ms `, time),
      h("pre", { class: "json" }, event.sql), h("ul", {}, event.plan.map((line) => h("li", {}, h("code", {}, line)))));
    default: return h("article", { class: event.isProblem || event.type === "trouble" ? "problem" : undefined }, h("p", {}, event.text, " ", time));
  }
}

function tableOf({ name, columns, changes, more }) {
  if (columns.length === 0) return [h("h3", {}, name, h("span", { class: "quiet" }, " is not there any more"))];
  const rows = changes.flatMap(({ kind, before, after }) => {
    const changed = before && after ? before.map((cell, index) => !same(cell, after[index])) : undefined;
    return [
      before && { cells: [kind === "deleted" ? "deleted" : "before", ...before], class: kind === "deleted" ? "deleted" : "before", changed: changed && [false, ...changed] },
      after && { cells: [kind === "inserted" ? "inserted" : "after", ...after], class: kind === "inserted" ? "inserted" : "after", changed: changed && [false, ...changed] },
    ].filter(Boolean);
  });
  const isBare = rows.length === 0 && more === 0;
  return [h("h3", {}, h("a", { href: link({ table: name }) }, name),
    isBare && h("span", { class: "quiet" }, " changed: in which rows is not known"), more > 0 && h("span", { class: "quiet" }, rows.length > 0 ? ` and ${number(more)} more ${more === 1 ? "row" : "rows"}, which are not shown` : ` ${number(more)} rows, too many or too large to be shown`)),
    rows.length > 0 && table(["", ...columns], rows, `Changes of ${name}`)];
}

"""###),
        PageAsset(path: "/once.js", type: "text/javascript", text: ###"""
/// A function that has work done for whoever calls it: once at a time, and once more for all who call meanwhile. It returns when no more is wanted, or at
/// once where the work is under way. `pause` are milliseconds before each time, in which others may still call.
export function onceForAll(work, pause = 0) {
  let isWanted = false;
  let isRunning = false;
  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      if (pause > 0) await new Promise((done) => setTimeout(done, pause));
      isWanted = false;
      await work();
    }
    isRunning = false;
  };
}

"""###),
        PageAsset(path: "/routes.js", type: "text/javascript", text: ###"""
// Where the page is, as it stands behind the # of the address, which browsers send to nobody.

export function link(route) {
  const parts = new URLSearchParams();
  if (route.table !== undefined) parts.set("table", route.table);
  // A column may have an empty name.
  if (route.sort !== undefined) parts.set("sort", route.sort);
  if (route.isDescending) parts.set("order", "desc");
  if (route.filters?.length) parts.set("filters", JSON.stringify(route.filters));
  if (route.sql !== undefined) parts.set("sql", route.sql);
  if (route.page) parts.set("page", route.page);
  return `#${parts}`;
}

export function route() {
  const parts = new URLSearchParams(location.hash.slice(1));
  let filters;
  try {
    const read = JSON.parse(parts.get("filters") ?? "[]");
    filters = Array.isArray(read) ? read.filter((filter) => typeof filter?.column === "string") : [];
  } catch {
    filters = [];
  }
  return {
    table: parts.get("table") ?? undefined,
    sort: parts.get("sort") ?? undefined,
    isDescending: parts.get("order") === "desc" || undefined,
    filters,
    sql: parts.get("sql") ?? undefined,
    page: parts.get("page") ?? undefined,
  };
}

"""###),
        PageAsset(path: "/rows.js", type: "text/javascript", text: ###"""
import { ask, post } from "./api.js";
import { isWhole, kind, readable, same, shown, text } from "./cells.js";
import { dialog, h, isSecondOfTwo, number, problem, replace, say } from "./dom.js";
import { Grid } from "./grid.js";
import { keepingLineEnds } from "./lines.js";
import { link } from "./routes.js";
import { itIsNow, putAside, showRefusal, showWaiting, showWaitingOn, takeOut, updated, waitingFor, write } from "./waiting.js";

/// A page with the rows of a table.
export async function rowsPage(draw, route, studio) {
  const facts = await ask("api/table", { table: route.table });
  const filters = route.filters ?? [];
  const question = { table: facts.name, sort: route.sort, isDescending: route.isDescending, filters };
  const isEditable = facts.isEditable && !studio.file.isReadOnly;
  const message = h("div", { class: "message" });
  const counted = h("span", { class: "quiet", role: "status" });
  const bar = h("div", { class: "waiting-edits" });
  const reload = async () => { await grid.refresh(); };
  const context = { facts, isEditable, reload };
  const grid = new Grid(question, facts.columns, {
    open: (row) => openRow(row, context),
    remove: (row) => isEditable && removeRow(row, context),
    count: (count, isExact) => { counted.textContent = `${number(count)}${isExact ? "" : " or more"} rows`; },
    fail: (error) => replace(message, problem(error)),
    loaded: () => replace(message),
    stopped: () => message.querySelector(".sorting")?.remove(),
    // The page is made anew, of what the table is by now.
    altered: () => dispatchEvent(new Event("hashchange")),
  });
  const go = (changes) => { location.hash = link({ ...route, ...changes }); };
  replace(grid.head, facts.columns.map((column, index) => heading(column, index, route, filters, go)));
  draw(
    h("div", { class: "title" },
      h("h1", {}, facts.name), counted,
      facts.kind !== "table" && h("span", { class: "tag" }, facts.kind),
      h("span", { class: "quiet hint" }, isEditable ? "Enter or a second click opens a row to edit it" : "Enter or a second click opens a row"),
      h("span", { class: "space" }),
      filters.length > 0 && h("button", { onclick: () => go({ filters: [] }) }, "Clear filters"),
      isEditable && h("button", { class: "main", onclick: () => openRow(null, context) }, "Add row")),
    message, bar, grid.body);
  // One that came late was not drawn, and another page is on screen.
  if (bar.isConnected) {
    showWaitingOn({
      bar, reload,
      // A change that waits may be one of another table.
      open: (change) => openRow(change.row, { ...context, facts: change.facts, isEditable: true }, change),
    });
  }
  // Not waited for: what is committed meanwhile has to find the page.
  grid.refresh();
  return {
    leave: () => grid.stop(),
    commit: () => grid.refresh(),
    // The last that is told of a sort may come behind the rows, and nothing would take it away then.
    hear: (event) => event.type === "sorting" && grid.isLoading && sorting(event.sorting, question, message),
  };
}

/// How far the server is with a sort of many rows, which no index serves.
function sorting({ table, sort, seen, count }, question, message) {
  if (table !== question.table || sort !== question.sort) return;
  const what = sort === undefined ? "Sorting what the filters find" : `Sorting by ${sort} without an index`;
  const label = `${what}: ${number(seen)} of ${number(count)} rows`;
  replace(message, h("p", { class: "sorting quiet", role: "status" }, label, " ", h("progress", { value: seen, max: Math.max(1, count), "aria-label": label })));
}

function heading(column, index, route, filters, go) {
  const isSorted = route.sort === column.name;
  const filter = filters.find((filter) => filter.column === column.name);
  const typed = (event) => {
    const others = filters.filter((other) => other.column !== column.name);
    const value = event.target.value.trim();
    if (value !== (filter?.text ?? "")) go({ filters: value ? [...others, { column: column.name, text: value }] : others });
  };
  return h("div", {
    class: "cell heading", role: "columnheader", "aria-colindex": index + 1,
    "aria-sort": isSorted ? (route.isDescending ? "descending" : "ascending") : "none",
  },
    h("button", {
      class: "sort", title: `${column.name} ${column.type}${column.isIndexed ? ", sorted by an index" : ""}`,
      onclick: () => go(isSorted && route.isDescending
        ? { sort: undefined, isDescending: undefined }
        : { sort: column.name, isDescending: isSorted ? true : undefined }),
    }, h("span", { class: "name" }, column.name), column.isKey && h("span", { class: "quiet" }, " key"), isSorted ? (route.isDescending ? " ↓" : " ↑") : ""),
    h("input", {
      class: "filter", type: "search", "aria-label": `Filter ${column.name}`, placeholder: filter?.isExact ? text(filter.value ?? null) : "filter",
      title: "ada   = exact   != not   > 5   10..20   null   !null", value: filter?.text ?? "",
      onkeydown: (event) => { if (event.key === "Enter") typed(event); }, onchange: typed,
    }));
}

// MARK: One row

function openRow(row, context, earlier = row && waitingFor(context.facts.name, row.key)) {
  if (row === undefined) return;
  const { facts, isEditable, reload } = context;
  // A row with a change that waits is shown as that leaves it, and edited further by the same change.
  const waitingValues = earlier?.edit.new ?? {};
  const cells = facts.columns.map(({ name }, index) => (Object.hasOwn(waitingValues, name) ? waitingValues[name] : row?.cells[index]));
  const fields = facts.columns.map((column, index) => field(column, cells[index], row, facts, isEditable));
  const title = row ? `${facts.name}: ${row.cells.slice(0, 1).map(text)}` : `New row of ${facts.name}`;
  const message = h("div", {});
  // What is compared with the row when it is written, where that is not what its field began with.
  const compared = new Map(Object.entries(earlier?.edit.old ?? {}));
  const before = ({ column, old }) => (compared.has(column.name) ? compared.get(column.name) : old);
  // Whoever has been shown what the row is now may write over that.
  const goOnFrom = async (current) => {
    row = updated(row, facts, current);
    for (const [index, { column, isTouched }] of fields.entries()) {
      const cell = row.cells[index];
      if (isWhole(cell)) {
        compared.set(column.name, cell);
      } else if (kind(cell) === "long" && (isTouched || compared.has(column.name))) {
        const whole = await ask("api/cell", { table: facts.name, key: row.key, column: column.name }).catch(() => null);
        // Another one was not shown, and stays a conflict.
        if (typeof whole === "string" && whole.startsWith(cell.t)) compared.set(column.name, whole);
      }
    }
  };
  const box = dialog(title, (close) => {
    const collect = () => {
      const changed = fields.filter((field) => (field.isTouched
        ? !row || !same(before(field) ?? null, field.value()) : Object.hasOwn(waitingValues, field.column.name)));
      const pick = (of) => Object.fromEntries(changed.map((field) => [field.column.name, of(field)]));
      const values = pick((field) => (field.isTouched ? field.value() : waitingValues[field.column.name]));
      if (!row) return { kind: "insert", table: facts.name, new: values };
      return changed.length === 0 ? null : { kind: "update", table: facts.name, key: row.key, old: pick(before), new: values };
    };
    const drop = () => {
      takeOut([earlier]);
      close();
      showWaiting();
    };
    const keep = async (now) => {
      const edit = collect();
      if (!edit) return earlier ? drop() : close();
      if (!now) {
        putAside({ edit, facts, row }, earlier);
        close();
        return showWaiting();
      }
      try {
        await write([edit]);
      } catch (error) {
        const current = error.answer?.current;
        showRefusal(message, error, {
          advice: current && "Save again to write over what it is now.",
          buttons: earlier && h("button", { type: "button", class: "danger", onclick: drop }, "Drop the change"),
        });
        // Only behind that: to read a long text takes a while, in which Save could be pressed again.
        if (current) await goOnFrom(current);
        return;
      }
      takeOut([earlier]);
      close();
      showWaiting();
      say("Saved");
      await reload();
    };
    return [
      message,
      h("form", { class: "fields", method: "dialog", onsubmit: (event) => { event.preventDefault(); if (isEditable) keep(true); } },
        fields.map((field) => field.element),
        row && related(row, facts, close),
        h("div", { class: "buttons" },
          isEditable && h("button", { class: "main", type: "submit", onclick: (event) => isSecondOfTwo(event) && event.preventDefault() }, "Save"),
          isEditable && h("button", { type: "button", onclick: () => keep(false) }, "Save later, together"),
          h("span", { class: "space" }),
          isEditable && row && h("button", { type: "button", class: "danger", onclick: () => { close(); removeRow(row, context); } }, "Delete…"),
          h("button", { type: "button", onclick: close }, isEditable ? "Cancel" : "Close"))),
    ];
  }, "row-dialog");
  box.querySelector("textarea:not([readonly])")?.focus();
  if (row && earlier) showWhatChanged();

  // Another program may have changed the row since the change was put aside.
  async function showWhatChanged() {
    const isAsShown = (cell, old) => (kind(cell) === "long" ? typeof old === "string" && old.startsWith(cell.t) : same(cell, old));
    const changes = facts.columns.map(({ name }, index) => [name, row.cells[index]])
      .filter(([name, cell]) => compared.has(name) && !isAsShown(cell, compared.get(name)));
    if (changes.length === 0) return;
    const current = Object.fromEntries(changes);
    replace(message, h("div", { class: "problem", role: "alert" },
      h("p", {}, "The row was changed since your change was put aside."), itIsNow(current), h("p", { class: "quiet" }, "Save to write over that.")));
    await goOnFrom(current);
  }
}

function field(column, cell, row, facts, isEditable) {
  let old = row ? cell : undefined;
  const kindOf = kind(cell);
  const isText = ["text", "integer", "real", "null"].includes(kindOf);
  const isLong = kindOf === "long";
  const canEdit = isEditable && !column.isGenerated && (isText || isLong || !row);
  const id = `field-${column.name}`;
  const start = isText && kindOf !== "null" ? text(cell) : "";
  // A new row has no value yet where nothing is said, and that is its default.
  let isNull = row ? kindOf === "null" : cell === null;
  let isTouched = false;
  const area = h("textarea", {
    id, rows: Math.min(8, Math.max(1, start.split("\n").length)), spellcheck: "false", readonly: !canEdit, value: start, hidden: row && !isText,
    placeholder: isNull ? "NULL" : row ? "" : column.default ?? (column.isKey ? "given by the database" : "NULL"),
    oninput: () => { isTouched = true; isNull = false; nullBox.checked = false; },
  });
  const nullBox = h("input", {
    type: "checkbox", "aria-label": `${column.name} is NULL`, checked: isNull, onchange: () => {
      isTouched = true;
      isNull = nullBox.checked;
      if (isNull) area.value = "";
      area.placeholder = isNull ? "NULL" : "";
    },
  });
  const value = () => {
    if (isNull) return null;
    if (kindOf === "integer" && /^-?\d+$/.test(area.value)) {
      // As a text, what is too long is refused with a message.
      return BigInt.asIntN(64, BigInt(area.value)) === BigInt(area.value) ? { i: area.value } : area.value;
    }
    if ((kindOf === "integer" || kindOf === "real") && /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(area.value)) return { r: area.value };
    return typeof old === "string" ? keepingLineEnds(old, area.value) : area.value;
  };
  const extras = h("div", { class: "extras" });
  if (isText && readable(start) !== start) extras.append(h("pre", { class: "json" }, readable(start)));
  if (kindOf === "blob" || kindOf === "long") {
    extras.append(h("p", { class: "quiet" }, text(cell)), row?.key ? h("button", {
      type: "button", onclick: () => showWhole(extras, facts, row, column, (whole) => {
        // From here on it is a text like any other.
        old = whole;
        area.value = whole;
        area.rows = 12;
        area.hidden = false;
        area.focus();
      }),
    }, cell.type ? "Show image" : isLong ? "Show all" : "Download")
      // The whole value is asked for by the key of its row.
      : h("p", { class: "quiet" }, `${isLong ? "Only its beginning can be shown" : "It cannot be downloaded"}: the rows of ${facts.name} have no key.`));
  }
  return {
    column, value,
    get old() { return old; },
    get isTouched() { return isTouched; },
    element: h("div", { class: "field" },
      h("label", { for: id }, column.name, " ", h("span", { class: "quiet" }, column.type, column.isRequired ? " required" : "", column.isGenerated ? " calculated" : "")),
      area, extras,
      canEdit && !isLong && !column.isRequired && !column.isKey && h("label", { class: "null-box" }, nullBox, " NULL")),
  };
}

async function showWhole(place, facts, row, column, takeText) {
  try {
    const answer = await post("api/cell", { table: facts.name, key: row.key, column: column.name });
    const type = answer.headers.get("Content-Type") ?? "";
    if (type.startsWith("application/json")) {
      const whole = await answer.json();
      replace(place, typeof whole === "string" ? "" : h("p", { class: "quiet" }, text(whole)));
      if (typeof whole === "string") takeText(whole);
      return;
    }
    const url = URL.createObjectURL(await answer.blob());
    if (type.startsWith("image/")) {
      const image = h("img", { src: url, alt: `${column.name} of this row` });
      image.addEventListener("load", () => URL.revokeObjectURL(url));
      replace(place, image);
    } else {
      h("a", { href: url, download: `${facts.name}-${column.name}.bin` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }
  } catch (error) {
    replace(place, problem(error));
  }
}

/// Links to what the row refers to, and to what refers to it.
function related(row, facts, close) {
  const at = (name) => row.cells[facts.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase())];
  const item = (reference, label) => {
    const values = reference.columns.map(at);
    if (values.some((value) => value === undefined || value === null || !isWhole(value))) return null;
    const filters = reference.tableColumns.map((column, index) => ({ column, value: values[index], isExact: true }));
    return h("li", {}, h("a", { href: link({ table: reference.table, filters }), onclick: close }, label),
      reference.isGuess && h("span", { class: "quiet" }, " by its name"));
  };
  const items = [
    ...facts.references.map((reference) => item(reference, `→ ${reference.table} (${reference.columns.join(", ")})`)),
    ...facts.referrers.map((reference) => item(reference, `← ${reference.table} (${reference.tableColumns.join(", ")})`)),
  ].filter(Boolean);
  return items.length > 0 && h("section", { "aria-label": "Related rows" }, h("h3", {}, "Related rows"), h("ul", {}, items));
}

function removeRow(row, context) {
  const { facts, reload } = context;
  const message = h("div", {});
  // Compared with all that was shown as a whole.
  const shownCells = () => Object.fromEntries(facts.columns.map((column, index) => [column.name, row.cells[index]])
    .filter(([, cell]) => isWhole(cell)));
  dialog(`Delete this row of ${facts.name}?`, (close) => [
    h("p", { class: "row-summary" }, row.cells.slice(0, 4).map((cell) => [shown(cell), " "]).flat()),
    message,
    h("div", { class: "buttons" },
      h("button", {
        class: "danger", onclick: async (event) => {
          if (isSecondOfTwo(event)) return;
          try {
            await write([{ kind: "delete", table: facts.name, key: row.key, old: shownCells() }]);
            takeOut([waitingFor(facts.name, row.key)]);
            close();
            showWaiting();
            say("Deleted");
            await reload();
          } catch (error) {
            const current = error.answer?.current;
            if (current) row = updated(row, facts, current);
            showRefusal(message, error, { advice: current && "Delete again to delete what it is now." });
          }
        },
      }, "Delete"),
      h("button", { onclick: close }, "Cancel")),
  ]);
}

"""###),
        PageAsset(path: "/schema.js", type: "text/javascript", text: ###"""
import { get } from "./api.js";
import { h, problem } from "./dom.js";

/// The tables as a diagram, how they differ from the model, and their SQL.
export async function schemaPage(draw) {
  const schema = await get("api/schema");
  const url = URL.createObjectURL(new Blob([schema.diagram], { type: "image/svg+xml" }));
  draw(
    h("div", { class: "title" }, h("h1", {}, "Schema")),
    schema.differences && h("section", {}, h("h2", {}, "Differences to the model"),
      schema.differences.length === 0 ? h("p", { class: "good" }, "None.")
        : h("ul", { class: "differences" }, schema.differences.map((line) =>
          h("li", { class: line.startsWith("-") ? "gone" : "new" }, h("code", {}, line))))),
    // As an image, a picture runs no script and loads nothing.
    h("div", { class: "scroll diagram", tabindex: 0, role: "region", "aria-label": "Diagram" },
      h("img", { src: url, alt: "The tables and their references; the SQL below says the same" })),
    h("h2", {}, "SQL"),
    schema.sql.map((sql) => h("pre", { class: "json" }, sql)));
  return { leave: () => URL.revokeObjectURL(url) };
}

/// What is wrong with the file.
export async function doctorPage(draw) {
  draw(h("div", { class: "title" }, h("h1", {}, "Doctor")), h("p", { class: "quiet", role: "status" }, "Examining the file…"));
  let content;
  try {
    const findings = await get("api/doctor");
    content = findings.length === 0
      ? [h("p", { class: "good", role: "status" }, "Nothing was found: structure, references, full-text indexes, log, indexes and space are well.")]
      : findings.map((finding) => h("article", { class: "finding" },
        h("h2", {}, h("span", { class: "tag warn" }, finding.check), " ", finding.problem), h("p", {}, finding.advice)));
  } catch (error) {
    content = [problem(error)];
  }
  draw(h("div", { class: "title" }, h("h1", {}, "Doctor")), content);
}

"""###),
        PageAsset(path: "/sql.js", type: "text/javascript", text: ###"""
import { ask } from "./api.js";
import { table } from "./cells.js";
import { dialog, h, isSecondOfTwo, number, problem, replace, say } from "./dom.js";
import { link } from "./routes.js";

const keywords = (
  "SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT OFFSET JOIN LEFT INNER CROSS ON AS AND OR NOT NULL IS IN LIKE BETWEEN EXISTS CASE WHEN "
  + "THEN ELSE END DISTINCT UNION ALL INTERSECT EXCEPT WITH RECURSIVE INSERT INTO VALUES UPDATE SET DELETE RETURNING ASC DESC COUNT SUM "
  + "AVG MIN MAX EXPLAIN QUERY PLAN").split(" ");

/// A page for SQL. What stands in the address is put into the editor, and run by nobody but the user.
export function sqlPage(main, route, studio) {
  const result = h("div", { class: "result" });
  const names = [...new Set([...studio.file.tables.map((table) => table.name), ...studio.file.tables.flatMap((table) => table.columns)])];
  const editor = h("textarea", {
    class: "sql", rows: 6, spellcheck: "false", "aria-label": "SQL", value: route.sql ?? "", placeholder: "SELECT …",
    autocapitalize: "off", autocomplete: "off",
  });
  const choices = new Completion(editor, names);
  const run = async () => {
    const sql = editor.value;
    history.replaceState(null, "", link({ page: "sql", sql }));
    replace(result, h("p", { class: "quiet", role: "status" }, "Running…"));
    abort?.abort();
    abort = new AbortController();
    try {
      const answer = await ask("api/sql", { sql }, abort.signal);
      if (answer.writes) confirmWrite(sql, result);
      else replace(result, answerOf(answer));
    } catch (error) {
      if (error.name !== "AbortError") replace(result, problem(error));
    }
  };
  let abort;
  editor.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      choices.close();
      run();
    }
  });
  replace(main,
    h("div", { class: "title" }, h("h1", {}, "SQL"), h("span", { class: "space" }),
      h("button", { onclick: () => { abort?.abort(); replace(result, h("p", { class: "quiet" }, "Stopped.")); } }, "Stop"),
      h("button", { class: "main", onclick: run }, "Run"), h("kbd", { class: "quiet" }, "Ctrl Enter")),
    h("div", { class: "editor" }, editor, choices.list), result);
  editor.focus();
  return { leave: () => abort?.abort() };
}

function answerOf(answer) {
  const scans = answer.plan.filter((step) => step.isFullScan).length;
  say(`${answer.rows.length} rows`);
  return [
    h("p", { class: "quiet", role: "status" },
      `${rowCount(answer.rows.length)}${answer.isCut ? ", and more that are not shown" : ""} in ${answer.milliseconds.toFixed(1)} ms`),
    answer.plan.length > 0 && h("details", { class: "plan", open: scans > 0 },
      h("summary", {}, "Plan", scans > 0 ? h("span", { class: "tag warn" }, `${scans} full ${scans === 1 ? "scan" : "scans"}`) : ""),
      tree(answer.plan, 0)),
    answer.columns.length > 0 && table(answer.columns, answer.rows, "Rows"),
  ];
}

/// The steps of a plan, each under the one that it is a part of.
function tree(plan, parent) {
  const steps = plan.filter((step) => step.parent === parent);
  return steps.length > 0 && h("ul", {}, steps.map((step) =>
    h("li", { class: step.isFullScan ? "scan" : undefined }, h("code", {}, step.text),
      step.isFullScan && h("span", { class: "tag warn" }, "reads the whole table"), step.id !== parent && tree(plan, step.id))));
}

const rowCount = (count) => `${number(count)} ${count === 1 ? "row" : "rows"}`;

/// What a statement would change, in words.
function trial({ changes, ownChanges }) {
  const rest = changes - ownChanges;
  const parts = `: ${number(ownChanges)} itself, and ${number(rest)} by triggers, references and search indexes`;
  return `It would change ${rowCount(changes)}${rest > 0 ? parts : ""}.`;
}

/// Shows what is to be written, counts what it changes, and writes only as much as was confirmed.
function confirmWrite(sql, result) {
  replace(result, h("p", { class: "quiet" }, "Not run yet."));
  const place = h("div", {});
  dialog("This statement writes", (close) => {
    const count = async () => {
      // Without its button, so that a second Enter does not count a second time.
      replace(place, h("p", { class: "quiet", role: "status" }, "Counting…"));
      try {
        const answer = await ask("api/change/sql", { sql });
        replace(place, h("p", { tabindex: -1 }, trial(answer)),
          h("div", { class: "buttons" },
            h("button", { class: "danger", onclick: (event) => isSecondOfTwo(event) || write(answer.changes) }, `Change ${rowCount(answer.changes)}`),
            h("button", { onclick: close }, "Cancel")));
        // The keyboard goes to the count and not to a button: a second Enter would agree to what nobody has read yet.
        place.querySelector("p").focus();
      } catch (error) { replace(place, problem(error), h("div", { class: "buttons" }, h("button", { onclick: close }, "Close"))); }
    };
    const write = async (expectedChanges) => {
      // Without its button, so that a second click does not write a second time.
      replace(place, h("p", { class: "quiet", role: "status" }, "Writing…"));
      try {
        const answer = await ask("api/change/sql", { sql, expectedChanges });
        close();
        replace(result, h("p", { role: "status" }, answer.isKept
          ? `${rowCount(answer.changes)} ${answer.changes === 1 ? "was" : "were"} changed.`
          : `Nothing was written: it would change ${rowCount(answer.changes)} by now.`));
      } catch (error) { replace(place, problem(error)); }
    };
    replace(place, h("p", {}, "Run it on trial to see how many rows it changes? Nothing is kept yet."),
      h("div", { class: "buttons" }, h("button", { class: "main", onclick: count }, "Count the rows"), h("button", { onclick: close }, "Cancel")));
    return [h("pre", { class: "json" }, sql), place];
  });
}

/// Names and words that go on from what was typed.
class Completion {
  constructor(editor, names) {
    this.editor = editor;
    this.names = names;
    this.shown = [];
    this.list = h("ul", { class: "choices", role: "listbox", id: "choices", "aria-label": "Completions", hidden: true });
    editor.setAttribute("role", "combobox");
    editor.setAttribute("aria-autocomplete", "list");
    editor.setAttribute("aria-controls", "choices");
    editor.setAttribute("aria-expanded", "false");
    editor.addEventListener("input", () => this.find());
    editor.addEventListener("blur", () => this.close());
    editor.addEventListener("keydown", (event) => this.key(event));
  }

  word() { return this.editor.value.slice(0, this.editor.selectionStart).match(/[\p{L}_][\p{L}\p{N}_]*$/u)?.[0] ?? ""; }

  find() {
    const word = this.word();
    const start = word.toLowerCase();
    this.shown = word.length === 0 ? [] : [...this.names, ...keywords]
      .filter((name) => name.toLowerCase().startsWith(start) && name !== word).slice(0, 8);
    this.chosen = 0;
    this.draw();
  }

  draw() {
    this.list.hidden = this.shown.length === 0;
    this.editor.setAttribute("aria-expanded", String(this.shown.length > 0));
    if (this.shown.length) this.editor.setAttribute("aria-activedescendant", `choice-${this.chosen}`);
    else this.editor.removeAttribute("aria-activedescendant");
    replace(this.list, this.shown.map((name, index) => h("li", {
      id: `choice-${index}`, role: "option", "aria-selected": String(index === this.chosen),
      onmousedown: (event) => { event.preventDefault(); this.take(name); },
    }, name)));
  }

  key(event) {
    if (this.shown.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.chosen = (this.chosen + step + this.shown.length) % this.shown.length;
    else if (event.key === "Tab" && !event.shiftKey) this.take(this.shown[this.chosen]);
    else if (event.key === "Escape") this.shown = [];
    else return;
    event.preventDefault();
    this.draw();
  }

  take(name) {
    const [start, word] = [this.editor.selectionStart, this.word()];
    const isPlain = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
    this.editor.setRangeText(isPlain ? name : `"${name.replaceAll('"', '""')}"`, start - word.length, start, "end");
    this.close();
  }

  close() {
    this.shown = [];
    this.draw();
  }
}

"""###),
        PageAsset(path: "/studio.css", type: "text/css", text: ###"""
:root {
  color-scheme: light dark;
  --back: #ffffff; --raised: #f6f7f9; --line: #d9dde3; --text: #1c2128; --quiet: #59636e; --accent: #1d4ed8; --on-accent: #ffffff;
  --danger: #b42318; --danger-back: #fef3f2; --good: #1a7f37; --warn: #8a4b00; --warn-back: #fff4e0; --changed: #fff1b8;
  --inserted: #e3f6e8; --deleted: #fde8e6; --active: #dbe7ff; --number: #0b5394; --null: #57606a;
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171c; --raised: #1d2127; --line: #343a43; --text: #e6e9ee; --quiet: #a3acb8; --accent: #8ab4ff; --on-accent: #0b1220;
    --danger: #ff9a90; --danger-back: #3a1c1a; --good: #63d285; --warn: #ffc777; --warn-back: #3a2c12; --changed: #3d350c;
    --inserted: #15331f; --deleted: #42201e; --active: #26385c; --number: #9ecbff; --null: #9aa4b0;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: var(--back); color: var(--text); }
a { color: var(--accent); }
h1 { font-size: 1.3rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1rem 0 .4rem; overflow-wrap: anywhere; }
h3 { font-size: .95rem; margin: .8rem 0 .3rem; }
code, pre, textarea, .cell, td { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.quiet { color: var(--quiet); font-weight: normal; }
.good { color: var(--good); }
.space { flex: 1; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: .5rem; top: .5rem; z-index: 9; background: var(--back); padding: .4rem; }
button { font: inherit; color: var(--text); background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .7rem; min-height: 32px; cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.danger { color: var(--danger); border-color: var(--danger); background: var(--danger-back); }
input, textarea { font: inherit; color: var(--text); background: var(--back); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .5rem; }
.tag { background: var(--raised); border: 1px solid var(--line); border-radius: 99px; padding: 0 .5rem; margin-left: .4rem; font: 12px system-ui, sans-serif; color: var(--quiet); white-space: nowrap; }
.tag.warn { background: var(--warn-back); color: var(--warn); border-color: transparent; }
.problem { background: var(--danger-back); color: var(--danger); border-radius: 6px; padding: .6rem .8rem; margin: .5rem 0; overflow-wrap: anywhere; }
.problem p { margin: .2rem 0; }

.top { display: flex; align-items: center; gap: .4rem 1rem; flex-wrap: wrap; padding: .45rem 1rem; border-bottom: 1px solid var(--line); background: var(--raised); }
.file { overflow-wrap: anywhere; }
.top nav { display: flex; gap: .2rem; flex-wrap: wrap; }
.top nav a { padding: .3rem .6rem; border-radius: 6px; text-decoration: none; color: var(--text); }
.top nav a[aria-current] { background: var(--accent); color: var(--on-accent); }
.live { margin-left: auto; font-size: 12px; color: var(--quiet); }
.live::before { content: "● "; }
.live.on::before { color: var(--good); }
.columns { flex: 1; min-height: 0; display: grid; grid-template-columns: 240px minmax(0, 1fr); }
.tables { border-right: 1px solid var(--line); overflow: auto; padding: .6rem; }
.tables input { width: 100%; }
.tables ul { list-style: none; margin: .5rem 0; padding: 0; }
.tables a { display: flex; gap: .5rem; justify-content: space-between; padding: .25rem .5rem; border-radius: 6px; text-decoration: none; color: var(--text); }
.tables a .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.tables a[aria-current] { background: var(--active); font-weight: 600; }
.tables a.internal .name { color: var(--quiet); font-style: italic; }
main { overflow: auto; padding: .8rem 1rem; min-width: 0; display: flex; flex-direction: column; }
main:focus { outline: none; }
main > * { flex-shrink: 0; }
.title { display: flex; align-items: center; gap: .7rem; flex-wrap: wrap; margin-bottom: .6rem; }

.grid { flex: 1 1 0; min-height: 240px; overflow: auto; border: 1px solid var(--line); border-radius: 8px; position: relative; overscroll-behavior: contain; }
.area { position: relative; overflow: clip; width: max-content; }
.layer { position: absolute; top: 0; left: 0; }
.row { display: grid; grid-template-columns: var(--columns); height: 30px; }
.row .cell { border-right: 1px solid var(--line); border-bottom: 1px solid var(--line); padding: 5px 8px; overflow: hidden; white-space: pre; text-overflow: ellipsis; height: 30px; }
.row.head { position: sticky; top: 0; z-index: 2; height: auto; background: var(--raised); }
.row.head .cell { height: auto; padding: 3px 5px; background: var(--raised); display: flex; flex-direction: column; gap: 3px; }
.sort { border: 0; background: none; padding: .1rem .2rem; font-weight: 600; text-align: left; display: flex; min-height: 26px; }
.sort { gap: .3rem; }
.sort .name { overflow: hidden; text-overflow: ellipsis; }
.filter { width: 100%; padding: .1rem .35rem; font-size: 12px; }
.cell.active { background: var(--active); box-shadow: inset 0 0 0 1px var(--accent); }
.grid:focus-visible .cell.active { box-shadow: inset 0 0 0 2px var(--accent); }
.cell.waiting { background: var(--raised); }
.changed { background: var(--changed); }
.k-integer, .k-real { text-align: right; color: var(--number); }
.v-null, .v-blob, .v-broken { color: var(--null); font-style: italic; }
.hint { font-size: 12px; }
.bar { display: flex; gap: .6rem; align-items: center; flex-wrap: wrap; background: var(--warn-back); color: var(--warn); padding: .4rem .7rem; border-radius: 8px; margin-bottom: .6rem; }
.waits { list-style: none; margin: 0; padding: 0; }
.waits li { display: flex; gap: .5rem; align-items: center; flex-wrap: wrap; padding: .4rem 0; border-bottom: 1px solid var(--line); }
.waits .what { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere; }

.scroll { overflow: auto; border: 1px solid var(--line); border-radius: 8px; max-width: 100%; }
table.plain { border-collapse: collapse; min-width: 100%; }
table.plain th, table.plain td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; white-space: pre; max-width: 28rem; overflow: hidden; text-overflow: ellipsis; }
table.plain th { background: var(--raised); position: sticky; top: 0; }
table.plain td.k-integer, table.plain td.k-real, table.plain th.of-numbers { text-align: right; }
table.streams td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 16rem; }
table.streams td:not(:first-child) { font-family: inherit; font-size: inherit; }
.sorting { margin: 0 0 .5rem; display: flex; gap: .6rem; align-items: center; flex-wrap: wrap; }
.sorting progress { accent-color: var(--accent); }
table.overview td { font-family: inherit; font-size: inherit; }
tr.before td, tr.deleted td:first-child { color: var(--quiet); }
tr.inserted { background: var(--inserted); }
tr.deleted { background: var(--deleted); }
pre.json { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; overflow: auto; max-height: 22rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
.editor { position: relative; }
textarea.sql { width: 100%; resize: vertical; }
textarea.sql, .field textarea { font: 13px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.choices { position: absolute; z-index: 5; left: .5rem; top: calc(100% - 4px); list-style: none; margin: 0; padding: .2rem; background: var(--back); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 20px #0003; min-width: 14rem; }
.choices li { padding: .2rem .6rem; border-radius: 5px; font-family: ui-monospace, Menlo, Consolas, monospace; cursor: pointer; }
.choices li[aria-selected="true"] { background: var(--active); }
.plan { margin: .4rem 0; }
.plan ul { margin: .2rem 0; padding-left: 1.2rem; border-left: 2px solid var(--line); list-style: none; }
.plan summary { cursor: pointer; }
.diagram { background: #fff; padding: .5rem; }
.diagram img { display: block; }
@media (prefers-color-scheme: dark) { .diagram { background: #000; } .diagram img { filter: invert(1) hue-rotate(180deg); } }
.differences { list-style: none; padding: 0; }
.differences .gone code { color: var(--danger); }
.differences .new code { color: var(--good); }
.finding { border: 1px solid var(--line); border-radius: 8px; padding: .1rem 1rem .4rem; margin-bottom: .6rem; }
.finding .tag { margin-left: 0; }
.finding p { overflow-wrap: anywhere; }
.events article { border-bottom: 1px solid var(--line); padding-bottom: .7rem; }

dialog { background: var(--back); color: var(--text); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.2rem; width: min(44rem, calc(100vw - 1.5rem)); max-height: calc(100dvh - 2rem); overflow: auto; }
dialog::backdrop { background: #0007; }
dialog h2 { margin-top: 0; }
.field { display: grid; gap: .2rem; margin-bottom: .7rem; }
.field textarea { width: 100%; resize: vertical; }
.field textarea[readonly] { background: var(--raised); }
.field img { max-width: 100%; max-height: 20rem; }
.null-box { font-size: 12px; color: var(--quiet); justify-self: start; }
dialog form .buttons { position: sticky; bottom: -1rem; background: var(--back); padding: .6rem 0; }
.buttons { display: flex; gap: .5rem; flex-wrap: wrap; margin-top: .8rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .8rem; }
dd { margin: 0; overflow-wrap: anywhere; }

@media (max-width: 700px) {
  .columns { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr); }
  .tables { border-right: 0; border-bottom: 1px solid var(--line); max-height: 9rem; padding: .4rem .6rem; }
  /* There is room for the list only while somebody looks for a table. */
  .tables:not(:focus-within) ul { display: none; }
  main { padding: .6rem; }
  button, .top nav a, .tables a { min-height: 40px; align-items: center; }
  .top nav a { display: flex; }
  .sort { min-height: 30px; }
}
@media (prefers-reduced-motion: no-preference) { .changed { transition: background .4s; } }

"""###),
        PageAsset(path: "/studio.js", type: "text/javascript", text: ###"""
import { comeIn, get, listen } from "./api.js";
import { headings } from "./cells.js";
import { bytes, h, number, problem, replace } from "./dom.js";
import { livePage, remember } from "./live.js";
import { onceForAll } from "./once.js";
import { link, route } from "./routes.js";
import { rowsPage } from "./rows.js";
import { doctorPage, schemaPage } from "./schema.js";
import { sqlPage } from "./sql.js";

const studio = { file: null };
const main = document.getElementById("main");
let page = null;
let shows = 0;

const pages = [["Tables", ""], ["SQL", "sql"], ["Schema", "schema"], ["Doctor", "doctor"], ["Live", "live"]];

function drawFrame(here) {
  const { file } = studio;
  document.title = `${here.table ?? pages.find(([, name]) => name === (here.page ?? ""))?.[0] ?? ""} – ${file.name}`;
  replace(document.getElementById("file"), file.name, " ", h("span", { class: "quiet" }, bytes(file.bytes), file.isReadOnly ? ", read-only" : ""));
  replace(document.getElementById("pages"), pages.map(([title, name]) => h("a", {
    href: name ? link({ page: name }) : "#", "aria-current": (here.page ?? "") === name ? "page" : undefined,
  }, title)));
}

let search = "";

function drawTables(here) {
  const list = h("ul", {});
  const draw = () => {
    const found = studio.file.tables.filter((table) => table.name.toLowerCase().includes(search.toLowerCase()));
    // So many fit a list; the rest is found by its name.
    replace(list, found.slice(0, 300).map((table) => h("li", {}, h("a", {
      href: link({ table: table.name }), class: table.isOfTheApp ? undefined : "internal",
      "aria-current": table.name === here.table ? "page" : undefined,
      title: table.bytes ? bytes(table.bytes) : undefined,
    }, h("span", { class: "name" }, table.name),
      h("span", { class: "quiet" }, table.rows != null ? number(table.rows) : table.kind === "table" ? "…" : table.kind)))),
      found.length > 300 && h("li", { class: "quiet" }, `${found.length - 300} more: search for them`));
  };
  replace(document.getElementById("tables"),
    h("input", { type: "search", "aria-label": "Search tables", placeholder: "Search tables", value: search, oninput: (event) => { search = event.target.value; draw(); } }),
    list);
  draw();
}

function overview() {
  const { tables } = studio.file;
  const own = tables.filter((table) => table.isOfTheApp);
  replace(main, h("div", { class: "title" }, h("h1", {}, "Tables")),
    own.length === 0 ? h("p", { class: "quiet" }, "The file has no tables.")
      : h("div", { class: "scroll" }, h("table", { class: "plain overview" },
        headings(["Table", "Rows", "Size", "Columns"], (index) => index === 1 || index === 2),
        h("tbody", {}, own.slice(0, 300).map((table) => h("tr", {},
          h("td", {}, h("a", { href: link({ table: table.name }) }, table.name), table.kind !== "table" && h("span", { class: "tag" }, table.kind)),
          h("td", { class: "k-integer" }, table.rows != null ? number(table.rows) : ""),
          h("td", { class: "k-integer" }, table.bytes != null ? bytes(table.bytes) : ""),
          h("td", { class: "quiet" }, table.columns.slice(0, 8).join(", ") + (table.columns.length > 8 ? ", …" : ""))))))));
}

async function show() {
  const here = route();
  const number = (shows += 1);
  // What comes once another page is wanted is not drawn over that one.
  const draw = (...content) => { if (number === shows) replace(main, ...content); };
  page?.leave?.();
  page = null;
  drawFrame(here);
  drawTables(here);
  try {
    const shown = here.table !== undefined ? await rowsPage(draw, here, studio)
      : here.page === "sql" || here.sql !== undefined ? sqlPage(main, here, studio)
        : here.page === "schema" ? await schemaPage(draw)
          : here.page === "doctor" ? await doctorPage(draw)
            : here.page === "live" ? livePage(main) : overview();
    if (number === shows) page = shown ?? null;
    else shown?.leave?.();
  } catch (error) {
    draw(problem(error));
  }
}

let hasListened = false;

function hear(event) {
  if (event.type === "quiet") return;
  if (event.type === "ready") {
    // What was committed before is told to nobody: while the page opened, or while the connection was cut. For the first time the tables were
    // counted just now.
    page?.commit?.();
    if (hasListened) countSoon();
    hasListened = true;
    return;
  }
  if (event.type !== "sorting") remember(event);
  page?.hear?.(event);
  if (event.type !== "commit") return;
  page?.commit?.();
  countSoon();
}

/// Counts all tables again. That is work: once for all commits of a second, and of as long as it takes.
const countSoon = onceForAll(drawCounts, 1000);

async function drawCounts() {
  studio.file = await get("api/file").catch(() => studio.file);
  const here = route();
  drawFrame(here);
  // Whoever types in the list is not disturbed.
  if (!document.getElementById("tables").contains(document.activeElement)) drawTables(here);
  if (!here.page && here.table === undefined && here.sql === undefined) overview();
}

function locked() {
  replace(main, h("h1", {}, "Locked"), h("p", {}, "This page was opened without its key, or the studio was started anew. Press Return where the studio runs, and open the address that it prints."));
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

// An address with a new code, opened in the tab of an old one, is another place in the same page to the browser.
addEventListener("hashchange", () => { if (new URLSearchParams(location.hash.slice(1)).has("code")) location.reload(); });

try {
  await comeIn();
  studio.file = await get("api/file");
  addEventListener("hashchange", show);
  const sign = document.getElementById("live");
  // Before the first page is there, which may take a while.
  listen(hear, (isOpen) => {
    sign.textContent = isOpen ? "live" : "not connected";
    sign.classList.toggle("on", isOpen);
  });
  await show();
} catch (error) {
  if (error.status === 401) locked();
  else replace(main, problem(error));
}

"""###),
        PageAsset(path: "/waiting.js", type: "text/javascript", text: ###"""
import { ask } from "./api.js";
import { same, shown, text } from "./cells.js";
import { dialog, h, replace, say } from "./dom.js";

/// The changes that wait to be written together: each an edit, the facts of its table, and its row as it was seen last, null for a new one.
const waiting = [];

// They are nowhere but here.
addEventListener("beforeunload", (event) => { if (waiting.length > 0) event.preventDefault(); });

/// The change that waits of a row, if there is one.
export function waitingFor(table, key) {
  return waiting.find(({ edit }) => edit.kind === "update" && edit.table === table && same(edit.key, key));
}

/// Has a change wait, in place of an earlier one of its row.
export function putAside(change, earlier) {
  const place = waiting.indexOf(earlier);
  if (place < 0) waiting.push(change);
  else waiting[place] = change;
}

/// Takes out what was written, or what nobody wants any more. Others may have come meanwhile.
export function takeOut(changes) {
  waiting.splice(0, waiting.length, ...waiting.filter((change) => !changes.includes(change)));
}

/// A row with what the server says it is now.
export function updated(row, facts, current) {
  return { ...row, cells: facts.columns.map(({ name }, index) => (Object.hasOwn(current, name) ? current[name] : row.cells[index])) };
}

let isWriting = false;

/// Writes edits, one call after the other: a second click while the first is under way writes nothing twice.
export async function write(edits) {
  if (isWriting) throw new Error("A change is being written already.");
  isWriting = true;
  try {
    return await ask("api/change/rows", { edits });
  } finally {
    isWriting = false;
  }
}

export function itIsNow(current) {
  return h("div", {}, h("p", {}, "It is now:"), h("dl", {}, Object.entries(current).map(([name, cell]) => [h("dt", {}, name), h("dd", {}, shown(cell))])));
}

/// Why nothing was written.
///
/// `change` is the one at fault, where it is not plain from the place; `advice` is what can be done about it, by `buttons` too.
function refusal(error, { change, advice, buttons } = {}) {
  const answer = error.answer ?? {};
  return h("div", { class: "problem", role: "alert", tabindex: -1 },
    change && h("p", {}, h("strong", {}, named(change))),
    h("p", {}, error.message),
    answer.isConflict && (answer.current ? itIsNow(answer.current) : h("p", {}, "It is not there any more.")),
    answer.message && h("p", { class: "quiet" }, "Nothing was written.", advice && ` ${advice}`),
    buttons && h("div", { class: "buttons" }, buttons));
}

/// Shows in a place why nothing was written, and takes the keyboard there: a second Enter on the button that was pressed would write over
/// what nobody has read yet.
export function showRefusal(place, error, more) {
  const element = refusal(error, more);
  replace(place, element);
  element.focus();
}

/// The page on screen, or the last one with a bar for what waits: a change, a dialog and a write outlive the page that they began on.
let page = null;
let isSavingAll = false;

/// Has a page show what waits in its bar, from now on.
export function showWaitingOn(context) {
  page = context;
  showWaiting();
}

/// How many changes wait, with what can be done with them.
export function showWaiting() {
  const { bar } = page;
  const hadFocus = bar.contains(document.activeElement);
  replace(bar, waiting.length > 0 && h("div", { class: "bar", role: "region", "aria-label": "Changes to save" },
    h("span", {}, `${waiting.length} ${waiting.length === 1 ? "change waits" : "changes wait"} to be saved together`),
    h("button", { onclick: showList }, "See what waits"),
    h("span", { class: "space" }),
    h("button", { class: "main", onclick: saveAll }, "Save all"),
    h("button", { onclick: () => { takeOut([...waiting]); showWaiting(); } }, "Discard all")));
  // What is being written can be neither opened nor dropped.
  bar.inert = isSavingAll;
  // The button that was pressed is drawn anew, and the keyboard would go with it.
  if (hadFocus) focusBar();
}

async function saveAll() {
  const changes = [...waiting];
  const hadFocus = page.bar.contains(document.activeElement);
  isSavingAll = true;
  page.bar.inert = true;
  let problem = null;
  try {
    await write(changes.map(({ edit }) => edit));
    takeOut(changes);
  } catch (error) {
    problem = refusalOfOne(error, changes[error.answer?.edit]);
  }
  isSavingAll = false;
  showWaiting();
  // The bar lost the keyboard while it could not be used.
  if (hadFocus && document.activeElement === document.body) focusBar();
  if (problem) {
    page.bar.append(problem);
    if (page.bar.contains(document.activeElement)) problem.focus();
    return;
  }
  say("Saved");
  await page.reload();
}

/// Why nothing of what waits was written: that one of the changes cannot be. It may be of a table that is not on screen.
function refusalOfOne(error, change) {
  if (!change) return refusal(error);
  const { isConflict, current } = error.answer;
  if (current) change.row = updated(change.row, change.facts, current);
  const isGone = isConflict && !current;
  return refusal(error, {
    change,
    advice: isGone ? "Drop the change to save the others."
      : isConflict ? "Open the row and save it to write over what it is now, or drop the change."
        : "Open the row to correct it, or drop the change.",
    buttons: [
      !isGone && h("button", { onclick: () => page.open(change) }, "Open"),
      h("button", { class: "danger", onclick: () => { takeOut([change]); showWaiting(); } }, "Drop"),
    ],
  });
}

/// Each change that waits, of whatever table.
function showList() {
  const box = dialog("Changes that wait", (close) => {
    const list = h("ul", { class: "waits" });
    const drop = (change) => {
      const place = waiting.indexOf(change);
      takeOut([change]);
      showWaiting();
      if (waiting.length === 0) return close();
      draw();
      // The button that was pressed is gone, and the keyboard with it.
      list.children[Math.min(place, waiting.length - 1)].querySelector(".danger").focus();
    };
    const draw = () => replace(list, waiting.map((change) => h("li", {},
      h("span", { class: "what" }, h("strong", {}, named(change)), " ", h("span", { class: "quiet" }, contents(change.edit))),
      h("button", { "aria-label": `Open ${named(change)}`, onclick: () => { close(); page.open(change); } }, "Open"),
      h("button", { "aria-label": `Drop ${named(change)}`, class: "danger", onclick: () => drop(change) }, "Drop"))));
    draw();
    return [list, h("div", { class: "buttons" }, h("button", { onclick: close }, "Close"))];
  });
  // The button that opened it may have been drawn anew.
  box.addEventListener("close", focusBar);
}

/// Takes the keyboard to the bar; where nothing waits any more, to the rows.
function focusBar() {
  (page.bar.querySelector("button") ?? document.querySelector(".grid"))?.focus();
}

/// A change by its table and its key, without the rowid in front of a key that the table has besides.
function named({ edit, facts }) {
  if (edit.kind === "insert") return `New row of ${edit.table}`;
  const count = facts.columns.filter((column) => column.isKey).length;
  return `Change of ${edit.table}: ${edit.key.slice(-Math.max(1, count)).map(brief).join(", ")}`;
}

function contents({ old, new: values }) {
  const all = Object.entries(values).map(([name, cell]) => `${name}: ${old ? `${brief(old[name])} → ` : ""}${brief(cell)}`);
  return all.join(", ") || "defaults alone";
}

function brief(cell) {
  const line = text(cell);
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

"""###),
    ]
}
