// SPDX-License-Identifier: Apache-2.0
/** The command {@code simulate}: which seeds, on what a network, and what is printed of them. */
package io.queuepair.lab.simulate;
