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
