/** The scenarios of the documentation: that they happen as they say, and that all are listed. */
package io.queuepair.tests.scenario;
