import { same, table } from "./cells.js";
import { h, replace } from "./dom.js";
import { link } from "./routes.js";

const most = 100;
const happened = [];

/// Keeps what happened, the newest first.
export function remember(event) {
  happened.unshift({ ...event, time: new Date() });
  happened.length = Math.min(happened.length, most);
}

/// What happens, as it happens.
export function livePage(main) {
  const list = h("div", { class: "events", role: "log", "aria-label": "What happened" });
  const draw = () => replace(list, happened.length === 0
    ? h("p", { class: "quiet" }, "Nothing yet. Commits of every program that has the file open appear here, and slow statements of an app that serves this page.")
    : happened.map(entry));
  replace(main, h("div", { class: "title" }, h("h1", {}, "Live")), list);
  draw();
  return { hear: draw };
}

function entry(event) {
  const time = h("time", { class: "quiet" }, event.time.toLocaleTimeString());
  switch (event.type) {
    case "commit": return h("article", {}, h("h2", {}, "Commit ", time), event.commit.tables.map(tableOf),
      event.commit.uncompared.length > 0 && h("p", { class: "quiet" },
        "Too large to be compared, and perhaps changed too: ", event.commit.uncompared.map((name, index) =>
          [index > 0 ? ", " : "", h("a", { href: link({ table: name }) }, name)]).flat()));
    case "slow": return h("article", {}, h("h2", {}, `Slow statement, ${Math.round(event.milliseconds)} ms `, time),
      h("pre", { class: "json" }, event.sql), h("ul", {}, event.plan.map((line) => h("li", {}, h("code", {}, line)))));
    default: return h("article", { class: event.isProblem || event.type === "trouble" ? "problem" : undefined }, h("p", {}, event.text, " ", time));
  }
}

function tableOf({ name, columns, changes, more }) {
  const rows = changes.flatMap(({ kind, before, after }) => {
    const changed = before && after ? before.map((cell, index) => !same(cell, after[index])) : undefined;
    return [
      before && { cells: [kind === "deleted" ? "deleted" : "before", ...before], class: kind === "deleted" ? "deleted" : "before", changed: changed && [false, ...changed] },
      after && { cells: [kind === "inserted" ? "inserted" : "after", ...after], class: kind === "inserted" ? "inserted" : "after", changed: changed && [false, ...changed] },
    ].filter(Boolean);
  });
  return [h("h3", {}, h("a", { href: link({ table: name }) }, name), more > 0 && h("span", { class: "quiet" }, ` and ${more} more rows`)),
    rows.length > 0 && table(["", ...columns], rows, `Changes of ${name}`)];
}
