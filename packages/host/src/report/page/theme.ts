/** Light and dark as the system has it, until the button says otherwise. */
export function startTheme(onChange: () => void): void {
  const button = document.querySelector<HTMLButtonElement>("#theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = (): boolean => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const show = (): void => {
    if (button !== null) button.textContent = isDark() ? "Light theme" : "Dark theme";
    onChange();
  };
  button?.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  dark.addEventListener("change", show);
  if (button !== null) button.hidden = false;
  show();
}
