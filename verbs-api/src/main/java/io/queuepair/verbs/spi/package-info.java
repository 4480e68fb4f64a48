// SPDX-License-Identifier: Apache-2.0
/**
 * How a device offers itself to {@link io.queuepair.verbs.Verbs}. Only the interface lives here, no
 * implementation.
 */
@NullMarked
package io.queuepair.verbs.spi;

import org.jspecify.annotations.NullMarked;
