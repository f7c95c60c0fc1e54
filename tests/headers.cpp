// Nothing but the headers that all tests include: CMakeLists.txt.
int main() {}
