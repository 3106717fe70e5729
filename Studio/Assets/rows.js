import { ask, post } from "./api.js";
import { isWhole, kind, readable, same, shown, text } from "./cells.js";
import { dialog, h, number, problem, replace, say } from "./dom.js";
import { Grid } from "./grid.js";
import { keepingLineEnds } from "./lines.js";
import { link } from "./routes.js";

/// The edits that wait to be written together.
const waiting = [];

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
  const context = { facts, isEditable, reload, bar };
  const grid = new Grid(question, facts.columns, {
    open: (row) => openRow(row, context),
    remove: (row) => isEditable && removeRow(row, context),
    count: (count, isExact) => { counted.textContent = `${number(count)}${isExact ? "" : " or more"} rows`; },
    fail: (error) => replace(message, problem(error)),
    loaded: () => replace(message),
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
  showWaiting(context);
  await grid.start();
  return {
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

function openRow(row, { facts, isEditable, reload, bar }) {
  if (row === undefined) return;
  // A row with an edit that waits is shown as that leaves it, and edited further by the same edit.
  const earlier = row && waiting.find((edit) => edit.kind === "update" && edit.table === facts.name && same(edit.key, row.key));
  const cells = facts.columns.map(({ name }, index) => (earlier && Object.hasOwn(earlier.new, name) ? earlier.new[name] : row?.cells[index]));
  const more = waiting.length - (earlier ? 1 : 0);
  const fields = facts.columns.map((column, index) => field(column, cells[index], row, facts, isEditable));
  const title = row ? `${facts.name}: ${row.cells.slice(0, 1).map(text)}` : `New row of ${facts.name}`;
  const message = h("div", {});
  const box = dialog(title, (close) => {
    const collect = () => {
      const changed = fields.filter((field) => field.isChanged());
      if (changed.length === 0) return earlier;
      const pick = (of) => Object.fromEntries(changed.map((field) => [field.column.name, of(field)]));
      return row
        ? {
          kind: "update", table: facts.name, key: row.key,
          old: { ...pick((field) => field.old), ...earlier?.old }, new: { ...earlier?.new, ...pick((field) => field.value()) },
        }
        : { kind: "insert", table: facts.name, new: pick((field) => field.value()) };
    };
    const keep = async (now) => {
      const edit = collect() ?? (row ? null : { kind: "insert", table: facts.name, new: {} });
      if (!edit) return close();
      const edits = earlier ? waiting.map((other) => (other === earlier ? edit : other)) : [...waiting, edit];
      if (now) {
        try {
          await write(edits);
          forget([...edits, earlier]);
          close();
          say("Saved");
          await reload();
        } catch (error) {
          replace(message, conflict(error));
        }
      } else {
        waiting.splice(0, waiting.length, ...edits);
        close();
      }
      showWaiting({ facts, reload, bar });
    };
    return [
      message,
      h("form", { class: "fields", method: "dialog", onsubmit: (event) => { event.preventDefault(); if (isEditable) keep(true); } },
        fields.map((field) => field.element),
        row && related(row, facts, close),
        h("div", { class: "buttons" },
          isEditable && h("button", { class: "main", type: "submit" }, more ? `Save with ${more} more` : "Save"),
          isEditable && h("button", { type: "button", onclick: () => keep(false) }, "Save later, together"),
          h("span", { class: "space" }),
          isEditable && row && h("button", { type: "button", class: "danger", onclick: () => { close(); removeRow(row, { facts, reload, bar }); } }, "Delete…"),
          h("button", { type: "button", onclick: close }, isEditable ? "Cancel" : "Close"))),
    ];
  }, "row-dialog");
  box.querySelector("textarea:not([readonly])")?.focus();
}

function field(column, cell, row, facts, isEditable) {
  let old = row ? cell : undefined;
  const kindOf = kind(cell);
  const isText = ["text", "integer", "real", "null"].includes(kindOf);
  const isLong = kindOf === "long";
  const canEdit = isEditable && !column.isGenerated && (isText || isLong || !row);
  const id = `field-${column.name}`;
  const start = row ? (kindOf === "null" ? "" : isText ? text(cell) : "") : "";
  let isNull = row ? kindOf === "null" : false;
  let isTouched = false;
  const area = h("textarea", {
    id, rows: Math.min(8, Math.max(1, start.split("\n").length)), spellcheck: "false", readonly: !canEdit, value: start, hidden: row && !isText,
    placeholder: row ? (isNull ? "NULL" : "") : column.default ?? (column.isKey ? "given by the database" : "NULL"),
    oninput: () => { isTouched = true; isNull = false; nullBox.checked = false; },
  });
  const nullBox = h("input", {
    type: "checkbox", "aria-label": `${column.name} is NULL`, checked: row && isNull, onchange: () => {
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
    extras.append(h("p", { class: "quiet" }, text(cell)), h("button", {
      type: "button", onclick: () => showWhole(extras, facts, row, column, (whole) => {
        // From here on it is a text like any other.
        old = whole;
        area.value = whole;
        area.rows = 12;
        area.hidden = false;
        area.focus();
      }),
    }, cell.type ? "Show image" : kindOf === "long" ? "Show all" : "Download"));
  }
  return {
    column, value,
    get old() { return old; },
    isChanged: () => isTouched && (!row || !same(old ?? null, value())),
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

function removeRow(row, { facts, reload, bar }) {
  const message = h("div", {});
  // Compared with all that was shown as a whole.
  const old = Object.fromEntries(facts.columns.map((column, index) => [column.name, row.cells[index]])
    .filter(([, cell]) => isWhole(cell)));
  dialog(`Delete this row of ${facts.name}?`, (close) => [
    h("p", { class: "row-summary" }, row.cells.slice(0, 4).map((cell) => [shown(cell), " "]).flat()),
    message,
    h("div", { class: "buttons" },
      h("button", {
        class: "danger", onclick: async () => {
          try {
            await write([{ kind: "delete", table: facts.name, key: row.key, old }]);
            close();
            say("Deleted");
            await reload();
          } catch (error) { replace(message, conflict(error)); }
        },
      }, "Delete"),
      h("button", { onclick: close }, "Cancel")),
  ]);
}

// MARK: Writing

let isWriting = false;

/// Writes edits, one call after the other: a second click while the first is under way writes nothing twice.
async function write(edits) {
  if (isWriting) throw new Error("A change is being written already.");
  isWriting = true;
  try {
    return await ask("api/change/rows", { edits });
  } finally {
    isWriting = false;
  }
}

/// Takes what was written out of what waits. Others may have come meanwhile.
function forget(edits) {
  waiting.splice(0, waiting.length, ...waiting.filter((edit) => !edits.includes(edit)));
}

function conflict(error) {
  const answer = error.answer ?? {};
  const current = answer.isConflict && (answer.current
    ? h("div", {}, h("p", {}, "It is now:"), h("dl", {}, Object.entries(answer.current).map(([name, cell]) => [h("dt", {}, name), h("dd", {}, shown(cell))])))
    : h("p", {}, "It is not there any more."));
  return h("div", { class: "problem", role: "alert" }, h("p", {}, error.message), current, answer.message && h("p", { class: "quiet" }, "Nothing was written."));
}

function showWaiting({ reload, bar }) {
  if (waiting.length === 0) return replace(bar);
  const message = h("div", {});
  replace(bar, h("div", { class: "bar", role: "region", "aria-label": "Changes to save" },
    h("span", {}, `${waiting.length} ${waiting.length === 1 ? "change waits" : "changes wait"} to be saved together`),
    h("span", { class: "space" }),
    h("button", {
      class: "main", onclick: async () => {
        try {
          const edits = [...waiting];
          await write(edits);
          forget(edits);
          showWaiting({ reload, bar });
          say("Saved");
          await reload();
        } catch (error) { replace(message, conflict(error)); }
      },
    }, "Save all"),
    h("button", { onclick: () => { waiting.length = 0; replace(bar); } }, "Discard")), message);
}
