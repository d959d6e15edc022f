// Nothing here is needed: it adds shortcuts of single letters, off until somebody turns them on, and two comforts.
"use strict";
(() => {
  const STORE = "truthkeeper-shortcuts";
  const PLACES = { m: "/memory", c: "/conflicts", f: "/forgotten", r: "/review" };
  const bar = document.querySelector("[data-shortcuts]");

  const isOn = () => {
    try {
      return localStorage.getItem(STORE) === "on";
    } catch {
      return false;
    }
  };

  const show = () => {
    const button = bar.querySelector("[data-shortcuts-switch]");
    button.setAttribute("aria-pressed", String(isOn()));
    button.textContent = isOn() ? "Single-letter shortcuts: on" : "Single-letter shortcuts: off";
    bar.querySelector("[data-shortcuts-help]").hidden = !isOn();
  };

  const step = (by) => {
    const items = [...document.querySelectorAll("[data-item]")];
    const here = items.findIndex((item) => item.contains(document.activeElement));
    const next = items[Math.min(Math.max(here + by, 0), items.length - 1)];
    next?.querySelector("a, button")?.focus();
  };

  const press = (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (!isOn() || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      document.querySelector("[data-search]")?.focus();
    } else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "s") document.querySelector("[data-skip]")?.click();
    else if (PLACES[event.key] && document.querySelector(`a[href="${PLACES[event.key]}"]`)) location.href = PLACES[event.key];
  };

  if (bar) {
    bar.hidden = false;
    bar.querySelector("[data-shortcuts-switch]").addEventListener("click", () => {
      try {
        localStorage.setItem(STORE, isOn() ? "off" : "on");
      } catch {
        // Where nothing can be kept, nothing changes.
      }
      show();
    });
    document.addEventListener("keydown", press);
    show();
  }

  // How many characters are left.
  for (const text of document.querySelectorAll("textarea[data-counted]")) {
    const left = document.getElementById(text.dataset.counted);
    // As the service counts them: an emoji is one.
    const tell = () => {
      const room = text.dataset.most - [...text.value].length;
      left.textContent = room < 0 ? `${-room} characters too many` : `${room} characters left`;
    };
    text.addEventListener("input", tell);
    tell();
  }

  // Tick all.
  for (const all of document.querySelectorAll("[data-all]")) {
    all.closest("label").hidden = false;
    all.addEventListener("change", () => {
      for (const box of document.querySelectorAll('input[name="fact"]')) box.checked = all.checked;
    });
  }
})();
