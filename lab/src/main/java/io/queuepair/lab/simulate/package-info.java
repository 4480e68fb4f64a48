// SPDX-License-Identifier: Apache-2.0
/** The command {@code simulate}: its seeds, its network, and its output. */
package io.queuepair.lab.simulate;
