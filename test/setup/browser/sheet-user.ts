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

  /** Waits until the grid has the focus: all records are shown, or the rows of a kept draft. */
  async ready(): Promise<this> {
    await this.page.locator("[role=gridcell]:focus").waitFor();
    return this;
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name });
  }

  row(text: string): Locator {
    return this.page.getByRole("grid").getByRole("row").filter({ hasText: text });
  }

  /** Waits until a record is shown as it is committed: the records are read again after a change, and the review does not wait for long. */
  committed(text: string): Promise<void> {
    return this.page.locator("[role=row][data-state=stored]", { hasText: text }).first().waitFor();
  }

  cell(text: string, column: "owner" | "type" | "ttl" | "rdata" = "rdata"): Locator {
    return this.row(text).first().locator(`[data-column=${column}]`);
  }

  /** Writes a new row by keys and stages it. */
  async add(owner: string, type: string, rdata: string): Promise<void> {
    await this.press("Alt+n");
    await this.type(owner);
    await this.press("Tab");
    await this.type(type);
    await this.press("Tab", "Tab");
    await this.type(rdata);
    await this.press("Enter");
  }

  /** Opens the review by keys, once the zone is read, and waits for the difference. */
  async review(): Promise<void> {
    await this.page.getByRole("button", { name: /^Review and apply/, disabled: false }).waitFor();
    await this.press("Control+Enter");
    await this.button(/^Apply/).waitFor();
  }

  /** Applies the open review by keys and waits until the review says so; the message of an earlier change may still be shown beside it. */
  async apply(): Promise<void> {
    await this.press("Control+Enter");
    await this.page
      .getByRole("dialog")
      .getByText(/^Committed as/)
      .waitFor();
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
