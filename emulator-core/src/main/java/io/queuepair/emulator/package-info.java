/** The facade. */
package io.queuepair.emulator;
