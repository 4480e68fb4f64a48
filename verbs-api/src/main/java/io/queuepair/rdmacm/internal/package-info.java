// SPDX-License-Identifier: Apache-2.0
/**
 * What providers of the connection manager share, by the verbs API alone. Programs do not see it.
 */
@NullMarked
package io.queuepair.rdmacm.internal;

import org.jspecify.annotations.NullMarked;
