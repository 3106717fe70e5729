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
