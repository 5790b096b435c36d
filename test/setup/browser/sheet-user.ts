/** A person at the sheet of a zone: presses keys and clicks, which are counted, and types values, which are not. */
import type { Locator, Page } from "playwright-core";

export class SheetUser {
  readonly page: Page;
  keys = 0;
  clicks = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.keys++;
      await this.page.keyboard.press(key);
    }
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Waits until all records are shown, or the rows of a kept draft: the grid has the focus then, but on a phone. */
  async ready(): Promise<this> {
    const isNarrow = (this.page.viewportSize()?.width ?? 0) < 640;
    await this.page
      .locator(isNarrow ? "[role=gridcell]" : "[role=gridcell]:focus")
      .first()
      .waitFor();
    return this;
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  row(text: string): Locator {
    return this.page.getByRole("grid").getByRole("row").filter({ hasText: text });
  }

  /** Leads back to the sheet from the page of the change that was applied, and waits until a record is shown as it is committed. */
  async committed(text: string): Promise<void> {
    await this.back();
    await this.page.locator("[role=row][data-state=stored]", { hasText: text }).first().waitFor();
  }

  /** Leads back to the sheet. */
  async back(): Promise<void> {
    await this.page.keyboard.press("Escape");
    await this.ready();
  }

  cell(text: string, column: "owner" | "type" | "ttl" | "rdata" = "rdata"): Locator {
    return this.row(text).first().locator(`[data-column=${column}]`);
  }

  /** The field of the composer, in which a new record is written. */
  field(name: string): Locator {
    return this.page.getByRole("form", { name: "New record" }).getByLabel(name, { exact: true });
  }

  /** Writes a record into the composer by keys. */
  async write(owner: string, type: string, rdata: string): Promise<void> {
    await this.press("Alt+n");
    // With the name of a group there, it is emptied.
    const name = this.field("Name");
    if ((await name.inputValue()) !== "" || !(await name.evaluate((field) => field.matches(":focus"))))
      await this.press("Alt+n");
    await this.type(owner);
    await this.press("Tab");
    await this.type(type);
    await this.press("Space");
    await this.type(rdata);
  }

  /** Writes a record by keys and stages it. */
  async add(owner: string, type: string, rdata: string): Promise<void> {
    await this.write(owner, type, rdata);
    await this.press("Enter");
  }

  /** Stages a record although it is wrong. */
  async addWrong(owner: string, type: string, rdata: string): Promise<void> {
    await this.add(owner, type, rdata);
    await this.page.getByRole("form", { name: "New record" }).locator("[aria-invalid=true]:focus").waitFor();
    await this.press("Enter");
  }

  /** Opens the review by keys, once the zone is read, and waits for the difference. */
  async review(): Promise<void> {
    await this.page.getByRole("button", { name: /^Review( Ctrl|$)/, disabled: false }).waitFor();
    await this.press("Control+Enter");
    await this.button(/^Apply/).waitFor();
  }

  /** Applies the open review by keys and waits until its page says so. */
  async apply(): Promise<void> {
    await this.press("Control+Enter");
    await this.applied();
  }

  /** Waits for the page of the change that is applied. */
  async applied(): Promise<void> {
    await this.page.waitForURL(/\/changes\/\d+$/);
    await this.page.getByText("Applied", { exact: true }).waitFor();
  }

  /** Reviews what is staged and applies it. */
  async commit(): Promise<void> {
    await this.review();
    await this.apply();
  }

  async paste(text: string): Promise<void> {
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.press("Control+v");
  }
}
