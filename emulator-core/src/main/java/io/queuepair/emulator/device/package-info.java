// SPDX-License-Identifier: Apache-2.0
/**
 * A device on a network, and what an application gets of it first: contexts and protection domains.
 * What it is made of is in the packages below: the channel adapter ({@code hca}), the driver that
 * joins it to a network ({@code driver}), and the objects of the verbs ({@code mr}, {@code cq},
 * {@code qp}).
 */
@NullMarked
package io.queuepair.emulator.device;

import org.jspecify.annotations.NullMarked;
