import { readdirSync, readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

const FOLDER = new URL('../fixtures/ocr/', import.meta.url);

/** Hands the sample images to the tests, which have no files where they run. */
export default function setup(project: TestProject): void {
  const entries = readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER)).toString('base64')]);
  project.provide('images', Object.fromEntries(entries));
}
