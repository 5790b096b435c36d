/**
 * Every screen of the console, and every panel that opens on it, as axe sees it; test/soak looks at them at every width and in both schemes.
 */
import { testScreens } from "../setup/browser/screen-tests.ts";

testScreens();
