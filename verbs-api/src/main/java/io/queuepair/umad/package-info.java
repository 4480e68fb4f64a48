// SPDX-License-Identifier: Apache-2.0
/**
 * Management datagrams (MADs) of a program's own, as through {@code libibumad}: register for a
 * class, send, receive. Connections are made by {@code io.queuepair.rdmacm}, which needs none of
 * this.
 */
@NullMarked
package io.queuepair.umad;

import org.jspecify.annotations.NullMarked;
