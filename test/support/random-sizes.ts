import fc from 'fast-check';

// Random texts and lists reach the `maxLength` that a test gives. Otherwise they have ten items at most.
fc.configureGlobal({ ...fc.readConfigureGlobal(), defaultSizeToMaxWhenMaxSpecified: true });
