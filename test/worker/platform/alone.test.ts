// The bill first: it counts what the objects of the other suite would still do.
import './bill.suite.ts';
import './stalled-bodies.suite.ts';
