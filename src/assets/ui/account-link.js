/** Script of every page: links the account in the header of a visitor who is signed in. */
import { isMarkedSignedIn, nameSignedIn, showAccount } from './signed-in.js';

if (isMarkedSignedIn()) showAccount(nameSignedIn());
