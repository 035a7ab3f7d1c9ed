/** Column heads that are buttons sort their table: numbers from the largest, names from A. */
export function startSorting(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("th button")) {
    button.addEventListener("click", () => sortBy(button));
  }
}

function sortBy(button: HTMLButtonElement): void {
  const head = button.closest("th");
  const table = button.closest("table");
  const body = table?.tBodies[0];
  if (head === null || table === null || body === undefined) return;
  const column = head.cellIndex;
  const isNumber = head.classList.contains("number");
  const wasDescending = head.ariaSort === "descending";
  const wasAscending = head.ariaSort === "ascending";
  const direction = isNumber ? (wasDescending ? 1 : -1) : wasAscending ? -1 : 1;
  for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
  head.ariaSort = direction === 1 ? "ascending" : "descending";
  const rows = [...body.rows].map((row) => ({
    row,
    value: row.cells[column]?.dataset.value ?? row.cells[column]?.textContent ?? "",
  }));
  rows.sort((a, b) => direction * (isNumber ? Number(a.value) - Number(b.value) : a.value.localeCompare(b.value)));
  body.append(...rows.map(({ row }) => row));
}
