/**
 * How a device offers itself to {@link io.queuepair.verbs.Verbs}. Only the interface lives here, no
 * implementation.
 */
package io.queuepair.verbs.spi;
