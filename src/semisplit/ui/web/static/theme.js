// Light or dark: as the system has it, or as somebody has chosen.

const key = "semisplit theme";

/** Let a button change between light and dark. */
export function offerThemes(button) {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  let theme = localStorage.getItem(key) ?? system;
  const apply = () => {
    document.documentElement.style.colorScheme = theme;
  };
  if (theme !== system) apply();
  button.onclick = () => {
    theme = theme === "dark" ? "light" : "dark";
    localStorage.setItem(key, theme);
    apply();
  };
}
