// SPDX-License-Identifier: Apache-2.0
/**
 * How a connection manager offers itself to {@link io.queuepair.rdmacm.RdmaCm#find}. Only the
 * interface lives here, no implementation.
 */
@NullMarked
package io.queuepair.rdmacm.spi;

import org.jspecify.annotations.NullMarked;
