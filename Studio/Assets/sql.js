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
