/** Largest body of a calculator, in bytes: ten times what a gem full of everything takes, or a star chart code of 30,000 tokens. */
export const CALCULATOR_BODY_LIMIT = 256 * 1024;
