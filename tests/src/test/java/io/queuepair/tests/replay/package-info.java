/** A recording of a real device, replayed. */
package io.queuepair.tests.replay;
