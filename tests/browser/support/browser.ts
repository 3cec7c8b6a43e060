import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

/**
 * Starts a browser without a window. For Linux on x64 a package has one, with the libraries and the font that it needs, so
 * that pages look the same on each machine. Elsewhere it is the machine's own Chrome.
 * @param folder where it is unpacked
 */
export async function startBrowser(folder: string): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64') return startPackaged(folder);
  try {
    return await chromium.launch({ channel: 'chrome' });
  } catch (cause) {
    throw new Error(
      `These tests need Google Chrome on ${process.platform} ${process.arch}. Install it: https://www.google.com/chrome`,
      { cause },
    );
  }
}

async function startPackaged(folder: string): Promise<Browser> {
  // In a process of its own: the package unpacks to the TMPDIR of its process.
  await promisify(execFile)(process.execPath, [path.join(__dirname, 'unpackChromium.mjs')], {
    env: { ...process.env, TMPDIR: folder },
  });
  const fonts = path.join(folder, 'fonts.conf');
  await writeFile(
    fonts,
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  );
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    env: {
      ...process.env,
      TMPDIR: folder,
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: fonts,
    },
  });
}
