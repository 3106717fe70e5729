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
