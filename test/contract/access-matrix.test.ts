/** Every registered endpoint by every kind of credential, and the budgets and cooldowns behind them. */
import './access-decisions.suite.ts';
import './access-budgets.suite.ts';
