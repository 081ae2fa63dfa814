import { useArrayForm } from './tree.ts';

/* Setup for the second run of the codex tests, with arrays written without an empty first slot. */

useArrayForm('plain');
