// SPDX-License-Identifier: Apache-2.0
/**
 * Parts that providers of the connection manager share, by the verbs API alone. Programs do not see
 * them.
 */
@NullMarked
package io.queuepair.rdmacm.internal;

import org.jspecify.annotations.NullMarked;
