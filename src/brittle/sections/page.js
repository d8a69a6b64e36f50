"use strict";
// Without this the page shows all there is; with it tables copy in full precision and sort.
for (const box of document.querySelectorAll(".table")) {
  const table = box.querySelector("table");
  const cells = (row) => [...row.cells].map((cell) => cell.dataset.v ?? cell.innerText.trim());
  if (navigator.clipboard && table.caption) {
    const button = document.createElement("button");
    button.className = "copy";
    button.type = "button";
    button.textContent = "copy";
    button.title = "Copy as tab-separated values in full precision, for a spreadsheet";
    button.onclick = async () => {
      const text = [...table.rows].map((row) => cells(row).join("\t")).join("\n");
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
      setTimeout(() => (button.textContent = "copy"), 1500);
    };
    table.caption.append(button);
  }
  if (table.tBodies.length !== 1 || table.tHead?.rows.length !== 1) continue;
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    head.setAttribute("aria-sort", "none");
    head.tabIndex = 0;
    const sort = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const value = (row) => row.cells[at]?.dataset.v ?? row.cells[at]?.innerText ?? "";
      const order = (a, b) => value(a).localeCompare(value(b), undefined, {numeric: true});
      const number = (a, b) => parseFloat(value(a)) - parseFloat(value(b));
      const rows = [...table.tBodies[0].rows];
      const numeric = rows.every((row) => row.cells[at]?.dataset.v !== undefined);
      rows.sort(numeric ? number : order);
      table.tBodies[0].append(...(up ? rows : rows.reverse()));
    };
    head.onclick = sort;
    head.onkeydown = (event) => { if (event.key === "Enter") sort(); };
  });
}
