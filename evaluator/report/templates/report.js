"use strict";

const list = document.getElementById("instances");
const form = document.getElementById("filter");
const shown = document.getElementById("shown");
const items = [...list.querySelectorAll(".instance")];
const texts = new Map();

function textOf(item) {
  if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
  return texts.get(item);
}

function fits(item, wanted) {
  const outcomes = [...item.querySelectorAll(".badge")].filter(
    (badge) => wanted.prediction === "" || badge.dataset.prediction === wanted.prediction,
  );
  const marks = outcomes.map((badge) => badge.dataset.mark);
  if (wanted.result === "disagree") return new Set(marks).size > 1;
  if (wanted.result === "differs") return outcomes.some((badge) => badge.dataset.differs);
  return wanted.result === ""
    ? outcomes.length > 0
    : outcomes.some(({ dataset }) => [dataset.mark, dataset.state].includes(wanted.result));
}

function filter() {
  const wanted = Object.fromEntries(new FormData(form));
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const item of items) {
    const keep = fits(item, wanted) && words.every((word) => textOf(item).includes(word));
    item.hidden = !keep;
    count += keep;
  }
  shown.textContent = `${count} of ${items.length} shown`;
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) {
    target.hidden = false;
    target.open = true;
    target.scrollIntoView();
  }
}

form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filter));
addEventListener("hashchange", openTarget);
filter();
openTarget();
