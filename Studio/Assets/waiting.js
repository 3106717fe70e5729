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
