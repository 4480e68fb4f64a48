/** The command {@code simulate}: which seeds, on what a network, and what is printed of them. */
package io.queuepair.tools.simulate;
