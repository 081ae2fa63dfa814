import { useArrayForm } from './tree.ts';

/* Setup of the tests that run a second time, over files whose arrays are written without an empty first slot. */

useArrayForm('plain');
