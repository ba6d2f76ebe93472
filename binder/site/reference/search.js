// The search: it works on the files alone, without a server. entries.js has what can be found.
"use strict";

const MOST = 40; // results that are shown

// The entries that have all words; those first that have them in their names, short names before long ones.
function found(question) {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ([name, kind, , text]) => {
    const [own, all] = [name.toLowerCase(), `${name} ${kind} ${text}`.toLowerCase()];
    if (!words.length || !words.every((word) => all.includes(word))) return Infinity;
    const whole = words.every((word) => own.split(/[\s.]+/).includes(word));
    return (whole ? 0 : words.every((word) => own.includes(word)) ? 1000 : 100000) + own.length;
  };
  return ENTRIES.map((entry) => [rank(entry), entry])
    .filter(([at]) => at < Infinity)
    .sort(([a], [b]) => a - b)
    .map(([, entry]) => entry);
}

function row([name, kind, place, text]) {
  const item = document.createElement("li");
  const link = item.appendChild(document.createElement("a"));
  link.href = place;
  link.textContent = name;
  item.append(` (${kind}) ${text.length > 160 ? `${text.slice(0, 160)} ...` : text}`);
  return item;
}

function show(question) {
  const results = document.getElementById("found");
  const all = found(question);
  results.hidden = !question.trim();
  results.querySelector("ol").replaceChildren(...all.slice(0, MOST).map(row));
  const some = all.length > MOST ? `, of which these are the first ${MOST}` : "";
  results.querySelector("[role=status]").textContent = `${all.length} found for “${question.trim()}”${some}.`;
}

const field = document.getElementById("q");
if (document.getElementById("found")) {
  field.value = new URLSearchParams(location.search).get("q") || "";
  show(field.value);
  if (field.value) field.focus(); // the next Enter goes to the first result
  field.addEventListener("input", () => show(field.value));
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(field.value);
    document.querySelector("#found a")?.focus();
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, textarea")) {
    event.preventDefault();
    field.focus();
  }
});
if (matchMedia("(max-width: 60rem)").matches) {
  document.querySelector(".ways details").open = false; // on a phone the text comes first
}
