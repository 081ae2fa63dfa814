/** Access of every registered endpoint by every kind of credential, with rate limits and cooldowns. */
import './access-decisions.suite.ts';
import './access-budgets.suite.ts';
