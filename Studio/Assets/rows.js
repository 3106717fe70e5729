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
