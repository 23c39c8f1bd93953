#include "harness/cmd/table.h"
#include "harness/io/stack.h"

int main(int argc, char **argv)
{
    return stack_call(cmd_main, argc, argv);
}
