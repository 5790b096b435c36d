/** Light, dark, or as the system has it; kept in this browser. theme-start.js applies it before the first paint. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeWords = { system: "System", light: "Light", dark: "Dark" };

const name = "zonesmith.theme";

export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(name);
    else localStorage.setItem(name, theme);
  } catch {
    // Storage is off: it holds for this page.
  }
}
