import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { accessPage } from '../../cli/access/page';
import { accessPicture } from '../../cli/access/picture';
import { applications } from './support/applications';
import { startBrowser } from './support/browser';

const origin = { from: 'planned' as const, at: new Date('2027-01-31T12:00:00Z') };

// What a browser makes of the page and the picture of `aks-wi access`, with few applications and with many. Not proven: that
// they please the eye, and what other browsers make of them.

let folder: string;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'aks-wi-browser-'));
  browser = await startBrowser(folder);
});

afterAll(async () => {
  try {
    await browser.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
}

/** Opens a document, gives it to a check, and closes it. It must ask for nothing else and report no error. */
async function inBrowser(
  file: string,
  content: string,
  { colorScheme = 'light', width = 1280 }: Look,
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const location = path.join(folder, file);
  await writeFile(location, content);
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
  try {
    await context.addInitScript({ path: path.join(__dirname, 'support/measures.js') });
    const page = await context.newPage();
    const requests: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(pathToFileURL(location).href);
    await check(page);
    expect({ requests, problems }).toEqual({ requests: [page.url()], problems: [] });
  } finally {
    await context.close();
  }
}

const page = (count: number, look: Look, check: (page: Page) => Promise<void>): Promise<void> =>
  inBrowser('access.html', accessPage(applications(count), origin), look, check);
const picture = (count: number, look: Look, check: (page: Page) => Promise<void>): Promise<void> =>
  inBrowser('access.svg', accessPicture(applications(count), origin), look, check);

const looks = [3, 300].flatMap((count) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ count, colorScheme })),
);

describe.each(looks)('the page of $count applications in $colorScheme', ({ count, colorScheme }) => {
  it.each([1280, 400])('is readable in a window of %i pixels', async (width) => {
    await page(count, { colorScheme, width }, async (opened) => {
      const { texts, faint } = await opened.evaluate<{ texts: number; faint: string[] }>('measures.page()');
      expect(faint).toEqual([]);
      expect(texts).toBeGreaterThan(20 * count);
      const { narrowest, overflow } =
        await opened.evaluate<Record<'narrowest' | 'overflow', number>>('measures.widths()');
      expect(overflow).toBe(0);
      // A dozen characters: narrower cells would break words.
      expect(narrowest).toBeGreaterThan(90);
      const background = await opened.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 17, 23)');
    });
  });
});

interface Focus {
  readonly name: string;
  readonly ring: boolean;
  readonly inView: boolean;
}

/** What has the focus after a key. */
async function press(opened: Page, key: string): Promise<Focus> {
  await opened.keyboard.press(key);
  return opened.evaluate<Focus>('measures.focused()');
}

const shown = (opened: Page): Promise<string[]> => opened.evaluate<string[]>('measures.shownRows()');
const count = (opened: Page): Promise<string> => opened.locator('#count').innerText();
const at = (name: string): Focus => ({ name, ring: true, inView: true });

describe.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 400 },
] as const)('by keyboard alone, in $colorScheme in $width pixels, 300 applications', (look) => {
  it('are filtered by words', async () => {
    await page(300, look, async (opened) => {
      const all = await shown(opened);
      expect(await press(opened, '/')).toEqual(at('filter'));
      // It shares its identity with no other.
      await opened.keyboard.type('APP-149 api');
      expect(await shown(opened)).toEqual(['aks-1/app-149', 'kv-wi-prod/shared-api-key']);
      expect(await count(opened)).toBe(`2 of ${all.length} rows`);
      // Chrome itself empties a search field that has the focus.
      await press(opened, 'Tab');
      await press(opened, 'Escape');
      expect(await shown(opened)).toEqual(all);
      expect(await count(opened)).toBe('');
    });
  });

  it('are reached in order, and what has the focus is seen', async () => {
    await page(300, look, async (opened) => {
      expect(await press(opened, 'Tab')).toEqual(at('filter'));
      expect(await press(opened, 'Tab')).toEqual(at('overreach'));
      await opened.keyboard.press('Space');
      const only = await shown(opened);
      // In each table those who share an identity: two of three.
      expect(only).toHaveLength(2 * 200);
      expect(await count(opened)).toMatch(/^400 of \d+ rows$/);
      await opened.keyboard.press('Space');
      expect(await press(opened, 'Tab')).toEqual(at('By reader'));
      expect(await press(opened, 'Tab')).toEqual(at('By secret and role'));
      expect(await press(opened, 'Shift+Tab')).toEqual(at('By reader'));
      const both = await shown(opened);
      await opened.keyboard.press('Space');
      const closed = await shown(opened);
      expect(closed.length).toBeLessThan(both.length);
      expect(closed.every((text) => text.startsWith('kv-wi-prod/'))).toBe(true);
      await press(opened, 'Tab');
      await opened.keyboard.press('Space');
      expect(await shown(opened)).toEqual([]);
      await opened.keyboard.press('Space');
      expect(await shown(opened)).toEqual(closed);
    });
  });
});

it('finds each of 300 applications by its name', async () => {
  const names = applications(300).readers.map(({ cluster, application }) => `${cluster}/${application}`);
  await page(300, {}, async (opened) => {
    expect(await opened.evaluate(`measures.notFound(${JSON.stringify(names)})`)).toEqual([]);
  });
});

it('keeps the filter and the names of the columns in view, and nothing with the focus below them', async () => {
  await page(300, {}, async (opened) => {
    await opened.evaluate('scrollTo(0, 5000)');
    const topOf = (selector: string): Promise<number> =>
      opened.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().top`);
    expect(await topOf('form')).toBe(0);
    expect(await topOf('thead th')).toBe(
      await opened.evaluate('document.querySelector("form").getBoundingClientRect().height'),
    );
    await opened.locator('#overreach').focus();
    await opened.evaluate(
      'scrollTo(0, document.querySelector("summary").getBoundingClientRect().top + scrollY - 10)',
    );
    expect(await press(opened, 'Tab')).toEqual(at('By reader'));
  });
});

interface PictureMeasures {
  readonly texts: number;
  readonly faint: string[];
  readonly outside: string[];
  readonly size: number[];
  readonly drawnSize: number[];
  readonly canvas: string;
}

it.each(looks)('draws $count applications in $colorScheme, each text in its box', async (look) => {
  await picture(look.count, look, async (opened) => {
    const measures = await opened.evaluate<PictureMeasures>('measures.picture()');
    expect(measures.faint).toEqual([]);
    expect(measures.outside).toEqual([]);
    expect(measures.texts).toBeGreaterThan(5 * look.count);
    expect(measures.size).toEqual(measures.drawnSize);
    expect(measures.canvas).toBe(look.colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(13, 17, 23)');
  });
});
