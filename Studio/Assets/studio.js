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
