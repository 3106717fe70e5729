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
