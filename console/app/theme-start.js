// Runs before the first paint, so that a page whose colours were chosen never shows the others.
try {
  const theme = localStorage.getItem("zonesmith.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is off: the colours are those of the system.
}
