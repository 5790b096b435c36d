/** Every screen of the console by all rules of axe, light and dark, 1280 and 320 pixels wide, where nothing scrolls sideways. */
import { testScreens } from "../setup/browser/screen-tests.ts";

testScreens([
  [1280, "light"],
  [1280, "dark"],
  [320, "light"],
  [320, "dark"],
]);
