// Every flow of the owner's page in a real browser: at two widths, each page light and dark, and without a script.
//   node run.mjs MEMORY CHROMIUM [--screenshots FOLDER]
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";
import * as flows from "./flows.mjs";
import { Fussy, Running, story } from "./story.mjs";

const [memory, browserProgram, ...options] = process.argv.slice(2);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
// Light and dark differ in their colours alone: the rest is looked at once.
const SCHEMES = [
  ["light", {}],
  ["dark", { runOnly: ["color-contrast", "link-in-text-block"] }],
];

// A page as a flow uses it: every look at it is checked.
class Visitor {
  constructor(page, view, script) {
    Object.assign(this, { page, view, script, looks: 0 });
    page.setDefaultTimeout(8_000);
    page.on("dialog", () => this.fail("a script of a fact ran"));
    page.on("pageerror", (error) => this.fail(`the script failed: ${error}`));
    page.on("console", (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) this.fail(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(this.origin ?? "http://127.0.0.1")) this.fail(`it asks ${request.url()}`);
    });
  }

  fail(why) {
    this.failed ??= `${why} (${this.page.url()}, ${this.view.width} pixels)`;
  }

  // No sideways scrolling, and nothing that axe finds, in light and in dark.
  async look(name) {
    this.looks += 1;
    const width = await this.page.evaluate(() => document.documentElement.scrollWidth);
    if (width > this.view.width) this.fail(`${name}: ${width} pixels wide`);
    if (this.script) await this.page.evaluate(AXE);
    for (const [scheme, options] of this.script ? SCHEMES : []) {
      await this.page.emulateMedia({ colorScheme: scheme });
      const { violations, passes } = await this.page.evaluate((options) => axe.run(document, { resultTypes: ["violations"], ...options }), options);
      if (passes.length === 0) this.fail(`${name}: axe looked at nothing`);
      for (const { id, nodes } of violations) {
        this.fail(`${name}, ${scheme}: axe ${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`);
      }
    }
    if (this.failed) throw new Error(this.failed);
  }
}

async function visit(browser, view, script, flow) {
  const service = await Running.start(memory);
  try {
    const told = await story(service);
    return await visiting(browser, view, script, service, (visitor) => flow(visitor, service, told));
  } finally {
    await service.stop();
  }
}

async function visiting(browser, view, script, service, flow) {
  const context = await browser.newContext({ viewport: view, javaScriptEnabled: script, reducedMotion: "reduce" });
  try {
    const visitor = new Visitor(await context.newPage(), view, script);
    visitor.origin = service.address;
    await flow(visitor);
    return visitor.looks;
  } finally {
    await context.close();
  }
}

// One service whose search index refuses a fact, looked at in every view, and at last without a script.
async function failedSync(browser) {
  const fussy = await Fussy.start();
  const service = await Running.start(memory, fussy.env);
  try {
    const ana = service.key("Ana's laptop", "user:ana", ["facts:read", "facts:write", "review"], "user:ana");
    await service.says(ana, "Ana likes bitter chocolate.");
    let looks = 0;
    for (const [view, script] of [...VIEWS.map((view) => [view, true]), [VIEWS[1], false]]) {
      looks += await visiting(browser, view, script, service, (visitor) => flows.failedSync(visitor, service, { ana, fussy }));
    }
    return looks;
  } finally {
    await service.stop();
    fussy.stop();
  }
}

async function screenshots(browser, folder) {
  mkdirSync(folder, { recursive: true });
  const service = await Running.start(memory);
  try {
    const told = await story(service, { hostile: false });
    for (const [name, view, path] of flows.pictures(told)) {
      const context = await browser.newContext({ viewport: { width: view.width, height: view.height }, colorScheme: view.colorScheme });
      const page = await context.newPage();
      await flows.signIn({ page }, service, told.ana);
      await page.goto(service.address + path);
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await context.close();
    }
  } finally {
    await service.stop();
  }
}

const began = Date.now();
const browser = await chromium.launch({ executablePath: browserProgram, args: ["--no-sandbox"] });
try {
  if (options[0] === "--screenshots") {
    await screenshots(browser, options[1]);
    console.log(`screenshots are in ${options[1]}`);
  } else {
    const all = VIEWS.map((view) => [view, true, flows.everything]);
    all.push([VIEWS[1], false, flows.withoutScript]);
    let looks = 0;
    // Two at a time: each has a service of its own.
    const worker = async () => {
      for (let next = all.shift(); next; next = all.shift()) {
        const [view, script, flow] = next;
        const seen = await visit(browser, view, script, flow);
        looks += seen;
        console.log(`${view.width} pixels${script ? "" : ", without a script"}: ${seen} pages looked at, nothing wrong`);
      }
    };
    const failing = async () => {
      const seen = await failedSync(browser);
      looks += seen;
      console.log(`a copy that failed, in every view and without a script: ${seen} pages looked at, nothing wrong`);
    };
    await Promise.all([worker(), worker(), failing()]);
    console.log(`all passed: ${looks} pages in ${Math.round((Date.now() - began) / 1000)} s`);
  }
} finally {
  await browser.close();
}
