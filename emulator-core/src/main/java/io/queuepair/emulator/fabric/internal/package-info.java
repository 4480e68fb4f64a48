// SPDX-License-Identifier: Apache-2.0
/**
 * What transports and tests of this project need and programs do not: waiting by spinning, layouts
 * of datagrams. Exported to the modules of the project only.
 */
@NullMarked
package io.queuepair.emulator.fabric.internal;

import org.jspecify.annotations.NullMarked;
